import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { AssetName } from './parts.ts';

/** The source of the simulated machines' kubelet. */
export const kubeletSource = new URL('../cloud/workload/kubelet/main.go', import.meta.url);

/** Name of an asset's file in its folder; the project's own program has another for each state of its source. */
export async function assetFile(name: AssetName): Promise<string> {
  if (name !== 'workload-kubelet') {
    return name;
  }
  const hash = createHash('sha256').update(await readFile(kubeletSource));
  return `${name}-${hash.digest('hex').slice(0, 8)}`;
}
