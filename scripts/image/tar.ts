/** What a layer or an archive has; the owner is always root, and the time that of the whole archive. */
export type TarEntry =
  | { readonly path: string; readonly kind: 'directory' }
  | { readonly path: string; readonly kind: 'file'; readonly content: Uint8Array; readonly executable?: boolean }
  | { readonly path: string; readonly kind: 'link'; readonly target: string };

const block = 512;

/** Permission bits: nothing is writable but by root, and nothing is setuid. */
const modes = { directory: 0o755, plain: 0o644, executable: 0o755, link: 0o777 } as const;

/** Type flags of POSIX.1-1988, ustar. */
const typeFlags = { file: '0', link: '2', directory: '5' } as const;

/**
 * A tar archive (POSIX ustar) that only depends on its arguments: entries are sorted by path, and each folder on the way to an entry is there once.
 * @param entries paths without a leading slash
 * @param time seconds since 1970, of each entry
 * @throws Error for a path that ustar cannot hold, or that two entries have
 */
export function tarOf(entries: readonly TarEntry[], time: number): Buffer {
  const parts: Uint8Array[] = [];
  for (const entry of sortedWithFolders(entries)) {
    parts.push(header(entry, time));
    if (entry.kind !== 'file') continue;
    parts.push(entry.content, Buffer.alloc(-entry.content.byteLength & (block - 1)));
  }
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}

function sortedWithFolders(entries: readonly TarEntry[]): readonly TarEntry[] {
  const byPath = new Map<string, TarEntry>();
  for (const entry of entries) {
    const there = byPath.get(entry.path);
    if (there !== undefined && !(there.kind === 'directory' && entry.kind === 'directory')) {
      throw new Error(`Two entries of an archive have the path ${entry.path}.`);
    }
    for (const path of foldersTo(entry.path)) if (!byPath.has(path)) byPath.set(path, { path, kind: 'directory' });
    byPath.set(entry.path, entry);
  }
  return [...byPath.values()].toSorted((one, other) => (one.path < other.path ? -1 : 1));
}

function foldersTo(path: string): readonly string[] {
  const names = path.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}

function header(entry: TarEntry, time: number): Buffer {
  const bytes = Buffer.alloc(block);
  const { name, prefix } = splitPath(entry.kind === 'directory' ? `${entry.path}/` : entry.path);
  bytes.write(name, 0, 100);
  bytes.write(octal(modeOf(entry), 8), 100);
  bytes.write(octal(0, 8), 108);
  bytes.write(octal(0, 8), 116);
  bytes.write(octal(entry.kind === 'file' ? entry.content.byteLength : 0, 12), 124);
  bytes.write(octal(time, 12), 136);
  bytes.write(' '.repeat(8), 148);
  bytes.write(typeFlags[entry.kind], 156);
  if (entry.kind === 'link') bytes.write(fitting(entry.target, 100), 157);
  bytes.write('ustar\u000000', 257);
  bytes.write(prefix, 345, 155);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\u0000 `, 148);
  return bytes;
}

function modeOf(entry: TarEntry): number {
  if (entry.kind === 'file') return entry.executable === true ? modes.executable : modes.plain;
  return modes[entry.kind];
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\u0000`;
}

/** ustar holds 100 bytes of a path, and 155 more of the folders before them. */
function splitPath(path: string): { readonly name: string; readonly prefix: string } {
  if (Buffer.byteLength(path) <= 100) return { name: path, prefix: '' };
  const slash = path.indexOf('/', Math.max(0, path.length - 101));
  return { name: fitting(path.slice(slash + 1), 100), prefix: fitting(path.slice(0, Math.max(slash, 0)), 155) };
}

function fitting(text: string, most: number): string {
  if (Buffer.byteLength(text) <= most) return text;
  throw new Error(`"${text}" is too long for a tar archive.`);
}
