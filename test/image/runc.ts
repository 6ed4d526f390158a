import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { runCommand } from '../env/run-command.ts';
import { waitFor } from '../env/wait-for.ts';
import { type ContainerOptions, type Runtime, spawnRuntime } from './container.ts';

/** The reference runtime, as Docker, containerd and CRI-O use it. @param program its path */
export function runc(program: string): Runtime {
  return {
    name: 'runc',
    async start(options) {
      const work = await mkdtemp(join(tmpdir(), 'magnum-runc-'));
      const [bundle, state, pidFile] = [join(work, 'bundle'), join(work, 'state'), join(work, 'pid')];
      await mkdir(bundle);
      await writeFile(join(bundle, 'config.json'), JSON.stringify(runtimeConfig(options)));
      const id = randomUUID();
      const args = ['--root', state, 'run', '--bundle', bundle, '--pid-file', pidFile, id];
      return {
        child: spawnRuntime(program, args),
        pid: () =>
          waitFor(
            async () =>
              z.coerce
                .number()
                .min(1)
                .parse(await readFile(pidFile, 'utf8')),
            { what: 'the container' },
          ),
        async clean() {
          await runCommand(program, ['--root', state, 'delete', '--force', id]).catch(() => undefined);
          await rm(work, { recursive: true, force: true });
        },
      };
    },
  };
}

/** A container of a pod with the restricted security standard, but on the network of this machine (runtime-spec 1.0). */
function runtimeConfig({ rootfs, command, environment, user, mounts }: ContainerOptions): object {
  const [uid, gid] = user.split(':').map(Number);
  return {
    ociVersion: '1.0.2',
    process: {
      terminal: false,
      user: { uid, gid },
      args: command,
      env: Object.entries(environment).map(([name, value]) => `${name}=${value}`),
      cwd: '/',
      capabilities: {},
      noNewPrivileges: true,
    },
    root: { path: rootfs, readonly: true },
    mounts: [
      { destination: '/proc', type: 'proc', source: 'proc' },
      ...Object.entries(mounts).map(([destination, source]) => ({
        destination,
        type: 'bind',
        source,
        options: ['rbind', 'ro'],
      })),
    ],
    linux: { namespaces: [{ type: 'pid' }, { type: 'mount' }, { type: 'ipc' }, { type: 'uts' }] },
  };
}
