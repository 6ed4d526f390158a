import type { AddonRelease } from './addon.ts';

/** Patch releases, by Kubernetes minor, of a project whose versions follow Kubernetes'. */
export type MinorPatches = Readonly<Record<number, number>>;

/** The tag for a minor; its first release where no patch release is known. */
export function minorTag(patches: MinorPatches, minor: number): string {
  return `v1.${minor}.${patches[minor] ?? 0}`;
}

/** What a catalogue says of each release. */
export function minorReleases(
  patches: MinorPatches,
  describe: (tag: string) => Omit<AddonRelease, 'version' | 'usedFor'>,
): readonly AddonRelease[] {
  return Object.keys(patches).map((minor) => {
    const tag = minorTag(patches, Number(minor));
    return { ...describe(tag), version: tag, usedFor: `Kubernetes 1.${minor}` };
  });
}
