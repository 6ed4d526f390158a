import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { observedTypes } from '../../cli/doctor/observed-types.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import { writeSourceKubeconfig } from '../system/source-kubeconfig.ts';
import { type Alteration, startAlteringProxy } from './altering-proxy.ts';
import type { Broken, Installation } from './installation.ts';

const { customResourceDefinition } = observedTypes;

/** The doctor sees the API server with other answers. */
export async function altered({ controlPlane, directory }: Installation, alteration: Alteration) {
  const { server, caCertificate, stop } = await startAlteringProxy(controlPlane, alteration);
  const access = { server, caCertificate, token: controlPlane.adminToken };
  return { args: ['--kubeconfig', await writeSourceKubeconfig(directory, access)], mend: stop };
}

/** Takes the versions of a kind out of service. */
export async function unserved({ read, merge }: Installation, name: string): Promise<Broken> {
  const { spec } = await read(customResourceDefinition, name);
  const { versions } = Object(spec);
  const off = versions.map((version: object) => ({ ...version, served: false }));
  await merge(customResourceDefinition, name, { spec: { versions: off } });
  return { mend: () => merge(customResourceDefinition, name, { spec: { versions } }) };
}

/** Has an object say that it is not ready. */
export async function unready({ say }: Installation, type: ResourceType, name: string): Promise<Broken> {
  await say(type, name, { type: 'Ready', status: 'False', reason: 'RevisionMissing', message: 'Said by the test' });
  return { mend: () => say(type, name, { type: 'Ready', status: 'True' }) };
}

/** Has the core manager run again as it was, but for the feature gate. */
export async function withoutClusterTopology({ controlPlane }: Installation): Promise<Broken> {
  const pid = controlPlane.pids['capi-core'];
  const [command, environment] = await Promise.all(
    ['cmdline', 'environ'].map(async (file) =>
      (await readFile(`/proc/${pid}/${file}`, 'utf8')).split('\0').slice(0, -1),
    ),
  );
  const [program = '', ...args] = command ?? [];
  const restart = await controlPlane.kill('capi-core');
  const other = spawn(
    program,
    args.map((argument) => argument.replace('ClusterTopology=true', 'ClusterTopology=false')),
    { env: Object.fromEntries((environment ?? []).map((line) => line.split(/=(.*)/s, 2))), stdio: 'ignore' },
  );
  return {
    async mend() {
      const ended = once(other, 'exit');
      other.kill('SIGKILL');
      await ended;
      restart();
    },
  };
}
