import * as z from 'zod';

/** A microversion as `2.64`. */
export type Microversion = `${number}.${number}`;

export interface MicroversionRange {
  readonly min: Microversion;
  readonly max: Microversion;
}

const microversion = z.templateLiteral([z.int(), '.', z.int()]);

const version = z.object({ id: z.string(), version: z.string().nullish(), min_version: z.string().nullish() });

/** A version document: of one version (Nova's `/v2.1/`) or of all (a service's root). */
const versionDocument = z.union([
  z.object({ version }).transform((document) => [document.version]),
  z.object({ versions: z.array(version) }).transform((document) => document.versions),
]);

/** The range that a version document offers for a version of the path, as `v2.1` or `v3` (there `v3.0`); null without. */
export function offeredRange(document: unknown, id: string): MicroversionRange | null {
  const parsed = versionDocument.safeParse(document);
  if (!parsed.success) return null;
  const offer = parsed.data.find((candidate) => candidate.id === id || candidate.id === `${id}.0`);
  const min = microversion.safeParse(offer?.min_version);
  const max = microversion.safeParse(offer?.version);
  return min.success && max.success ? { min: min.data, max: max.data } : null;
}

/** Whether a range includes a microversion; compared by number, so that 2.9 comes before 2.64. */
export function offers(range: MicroversionRange | null, wanted: Microversion): boolean {
  return range !== null && order(range.min, wanted) <= 0 && order(wanted, range.max) <= 0;
}

function order(left: Microversion, right: Microversion): number {
  const [leftMajor = 0, leftMinor = 0] = left.split('.').map(Number);
  const [rightMajor = 0, rightMinor = 0] = right.split('.').map(Number);
  return leftMajor - rightMajor || leftMinor - rightMinor;
}
