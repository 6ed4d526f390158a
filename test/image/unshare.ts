import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { waitFor } from '../env/wait-for.ts';
import { type ContainerOptions, type Runtime, spawnRuntime } from './container.ts';

/** Namespaces by unshare, and chroot: what a machine without a container runtime has; as root. */
export const unshare: Runtime = {
  name: 'unshare and chroot',
  async start(options) {
    const child = spawnRuntime('unshare', [
      '--mount',
      '--pid',
      '--fork',
      '--kill-child',
      'sh',
      '-euc',
      script(options),
    ]);
    return {
      child,
      // The shell becomes the container's process: it ends by executing it.
      pid: () => waitFor(() => onlyChildOf(child.pid ?? 0), { what: 'the container' }),
      clean: async () => undefined,
    };
  },
};

async function onlyChildOf(pid: number): Promise<number> {
  return z.coerce
    .number()
    .min(1)
    .parse((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim());
}

function script({ rootfs, command, environment, user, mounts }: ContainerOptions): string {
  const folders = Object.entries(mounts).flatMap(([place, source]) => {
    const target = quoted(`${rootfs}${place}`);
    return [`mkdir -p ${target}`, `mount --bind ${quoted(source)} ${target}`, `mount -o remount,bind,ro ${target}`];
  });
  const variables = Object.entries(environment).map(([name, value]) => quoted(`${name}=${value}`));
  return [
    // Debian has it where the PATH of a plain user does not look.
    'chroot=$(PATH="$PATH:/usr/sbin" command -v chroot)',
    `mount --bind ${quoted(rootfs)} ${quoted(rootfs)}`,
    ...folders,
    `mount -t proc proc ${quoted(`${rootfs}/proc`)}`,
    `mount -o remount,bind,ro ${quoted(rootfs)}`,
    `exec env -i ${variables.join(' ')} "$chroot" --userspec=${user} --groups= ${quoted(rootfs)} ${command.map(quoted).join(' ')}`,
  ].join('\n');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
