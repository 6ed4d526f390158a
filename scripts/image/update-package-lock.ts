import { openApt, ownDistribution } from './apt.ts';
import type { Architecture } from './architecture.ts';
import { debianPackageNames } from './debian-packages.ts';
import { installedNode } from './node-part.ts';
import { writePackageLock } from './package-lock.ts';
import type { Progress } from './progress.ts';

/** Locks the newest packages that this machine's apt knows, whose lists are signed, and the installed Node. */
export async function updatePackageLock(architecture: Architecture, progress: Progress): Promise<void> {
  progress("fetching the lists of Debian's packages");
  const apt = await openApt(process.env);
  const [distribution, packages, node] = await Promise.all([
    ownDistribution(),
    apt.newest(debianPackageNames),
    installedNode(architecture),
  ]);
  for (const { name, version } of packages) progress(`${name} ${version}`);
  progress(`node ${node.version}`);
  await writePackageLock(architecture, { distribution, packages, node });
}
