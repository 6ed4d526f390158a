/**
 * The first of the checks that finds anything. What comes later only waits for it, so that a reason tells the same fact once.
 */
export function firstOf(...checks: readonly (() => string[])[]): string[] {
  for (const check of checks) {
    const found = check();
    if (found.length > 0) return found;
  }
  return [];
}
