import type { Architecture } from './architecture.ts';
import { nodePath } from './image-config.ts';
import { lockedNodeBinary, nodeLicence } from './node-part.ts';
import type { LockedParts } from './package-lock.ts';
import type { Progress } from './progress.ts';
import type { TarEntry } from './tar.ts';

/** Node's binary and its licence. */
export async function nodeLayer(
  { node }: LockedParts,
  architecture: Architecture,
  progress: Progress,
): Promise<readonly TarEntry[]> {
  const [binary, licence] = [await lockedNodeBinary(node), await nodeLicence(node, architecture, progress)];
  return [
    { path: nodePath.slice(1), kind: 'file', content: binary, executable: true },
    { path: 'usr/share/doc/node/LICENSE', kind: 'file', content: licence },
  ];
}
