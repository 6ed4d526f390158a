/**
 * Whether a live object has everything that a rendered one says. What the API server fills in, or somebody adds, does not
 * count: lists of objects are keyed in Kubernetes and may hold more, while a list of plain values is one value.
 */
export function covers(live: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return Array.isArray(live) && coversList(live, wanted);
  if (!isRecord(wanted)) return live === wanted;
  return isRecord(live) && Object.entries(wanted).every(([key, value]) => covers(own(live, key), value));
}

function coversList(live: readonly unknown[], wanted: readonly unknown[]): boolean {
  if (wanted.every(isRecord)) return wanted.every((item) => live.some((candidate) => covers(candidate, item)));
  return live.length === wanted.length && wanted.every((item, index) => covers(live[index], item));
}

function own(record: Readonly<Record<string, unknown>>, key: string): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
