import { openApt } from './apt.ts';
import type { Architecture } from './architecture.ts';
import { debianPackageNames, requireDistribution } from './debian-packages.ts';
import { installedNode } from './node-part.ts';
import { writePackageLock } from './package-lock.ts';
import type { Progress } from './progress.ts';

export interface LockUpdate {
  readonly architecture: Architecture;
  /** File of the lock. @default the project's */
  readonly lock?: string | undefined;
  readonly progress: Progress;
}

/**
 * Locks the newest packages that this machine's apt knows, whose lists are signed, and the installed Node.
 * @throws {ImageError} where the machine is of another distribution, or its apt fails
 */
export async function updatePackageLock({ architecture, lock, progress }: LockUpdate): Promise<void> {
  const distribution = await requireDistribution();
  progress("fetching the lists of Debian's packages");
  const apt = await openApt(process.env);
  const [packages, node] = await Promise.all([apt.newest(debianPackageNames), installedNode(architecture)]);
  for (const { name, version } of packages) progress(`${name} ${version}`);
  progress(`node ${node.version}`);
  await writePackageLock(architecture, { distribution, packages, node }, lock);
}
