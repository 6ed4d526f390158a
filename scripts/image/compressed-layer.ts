import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { constants, gunzip, gzip } from 'node:zlib';
import { cacheRoot } from '../cache-root.ts';
import { digestOf } from './blobs.ts';

const compress = promisify(gzip);
const decompress = promisify(gunzip);

/** Smaller by a hundredth than the default, and done once for each version of Node. */
const level = constants.Z_BEST_COMPRESSION;

/** Below this many bytes a layer is compressed sooner than it is looked for. */
const worthKeeping = 16_000_000;

/**
 * Compresses a layer: by gzip, which everything that takes images takes. The same bytes and the same Node give the same bytes.
 * @param useCache whether a large layer may come from the cache, checked against its content
 */
export async function compressedLayer(layer: Buffer, useCache: boolean): Promise<Buffer> {
  if (layer.byteLength < worthKeeping || !useCache) return compress(layer, { level });
  const folder = join(cacheRoot(process.env), 'image-layers');
  const digest = digestOf(layer);
  const file = join(folder, `${digest.replace(':', '-')}-gzip-${level}-zlib-${process.versions.zlib}`);
  const known = await readFile(file).catch(() => undefined);
  if (known !== undefined && (await isOf(known, digest))) return known;
  const compressed = await compress(layer, { level });
  await mkdir(folder, { recursive: true });
  const unfinished = `${file}.${process.pid}`;
  try {
    await writeFile(unfinished, compressed);
    await rename(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
  return compressed;
}

async function isOf(compressed: Buffer, digest: string): Promise<boolean> {
  return decompress(compressed).then(
    (layer) => digestOf(layer) === digest,
    () => false,
  );
}
