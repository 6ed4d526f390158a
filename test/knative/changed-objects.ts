import type { Manifest } from '../../local/manifests/read-manifests.ts';

/** What one set of objects has that another has not: object by object, `Kind name`, and in changed ones path by path. */
export interface Changes {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** `Kind name /path` → new value; undefined = it is gone. */
  readonly changed: Readonly<Record<string, unknown>>;
}

export function changesOf(before: readonly Manifest[], after: readonly Manifest[]): Changes {
  const old = new Map(before.map((each) => [titleOf(each), each]));
  const present = new Map(after.map((each) => [titleOf(each), each]));
  const changed = [...present].flatMap(([title, object]) => {
    const former = old.get(title);
    return former === undefined ? [] : differences(former, object, `${title} `);
  });
  return {
    added: [...present.keys()].filter((title) => !old.has(title)).toSorted(),
    removed: [...old.keys()].filter((title) => !present.has(title)).toSorted(),
    changed: Object.fromEntries(changed),
  };
}

function titleOf({ kind, metadata }: Manifest): string {
  return `${kind} ${metadata.name}`;
}

function differences(before: unknown, after: unknown, path: string): readonly (readonly [string, unknown])[] {
  if (!isMapping(before) || !isMapping(after)) {
    return JSON.stringify(before) === JSON.stringify(after) ? [] : [[path, after]];
  }
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return keys.flatMap((key) => differences(before[key], after[key], `${path}/${key}`));
}

/** Lists count as mappings from their positions. */
function isMapping(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
