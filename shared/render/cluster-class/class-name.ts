/**
 * Name of the class of a release and of its templates: `magnum-v<version>-<hash>`.
 * @param hash 8 hexadecimal digits of its content
 */
export function className(version: string, hash: string): string {
  return `${prefix(version)}${hash}`;
}

/** Whether a class is one of a release, whatever its content was. */
export function isClassOf(version: string, name: string): boolean {
  return name.startsWith(prefix(version)) && /^[0-9a-f]{8}$/.test(name.slice(prefix(version).length));
}

/** The hash of the content in the name of one of the driver's classes; null for another's. */
export function contentOf(name: string): string | null {
  return /^magnum-v.+-([0-9a-f]{8})$/.exec(name)?.[1] ?? null;
}

/** Pre-releases and builds may hold what the names of objects may not. */
function prefix(version: string): string {
  return `magnum-v${version.toLowerCase().replace(/[^a-z0-9.-]/g, '-')}-`;
}
