import type { Parse } from './text-format.ts';

/** Release lines for which the add-ons have manifests; any patch release of a line is taken. */
export const cniReleases = {
  calico: { defaultTag: 'v3.32.1', lines: ['v3.31', 'v3.32'] },
  cilium: { defaultTag: 'v1.15.3', lines: ['v1.15', 'v1.20'] },
} as const;

export type CniKind = keyof typeof cniReleases;

export const cniKinds = ['calico', 'cilium'] as const satisfies readonly CniKind[];

const release = /^v?((?:0|[1-9][0-9]{0,3})\.(?:0|[1-9][0-9]{0,3}))\.(?:0|[1-9][0-9]{0,3})$/;

/** The supported lines as a sentence shows them. */
export function supportedReleases(kind: CniKind): string {
  return cniReleases[kind].lines.map((line) => `${line}.x`).join(' and ');
}

/** Tag of a supported release, with or without the leading `v`; the value has it. */
export function cniTag(kind: CniKind): Parse<string> {
  const lines: readonly string[] = cniReleases[kind].lines;
  return (text) => {
    const [, line] = release.exec(text) ?? [];
    if (line === undefined) return { problem: `is not a released version such as ${cniReleases[kind].defaultTag}` };
    if (!lines.includes(`v${line}`)) return { problem: `is not supported: take one of ${supportedReleases(kind)}` };
    return { value: text.startsWith('v') ? text : `v${text}` };
  };
}
