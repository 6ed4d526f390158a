import { beforeAll, describe, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { createCluster } from '../functions/created-cluster.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { type RunningCluster, runningCluster } from '../upgrade/running-cluster.ts';
import { runCommand, startCommand } from './command-process.ts';
import { makeLimitedUser } from './limited-user.ts';

const stage = stageOfFile();
const name = 'status-of-this';

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await runningCluster(stage(), {
    cluster: { name },
    labels: { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' },
  });
}, 120_000);

const status = (...args: readonly string[]) =>
  runCommand(['status', ...args, '--kubeconfig', inject('kubeconfigPath')]);

test('all clusters are a table, as wide as what is in it', async () => {
  const other = await createCluster(stage());
  const { exitCode, output, notes } = await status();
  expect({ exitCode, notes }).toEqual({ exitCode: 0, notes: '' });
  const [titles, ...lines] = output.trimEnd().split('\n');
  expect(titles?.split(/ {2,}/)).toEqual(['STACK ID', 'NAME', 'UUID', 'STATUS', 'AGE', 'VERSION', 'NODES', 'REASON']);
  const own = lines.find((line) => line.startsWith(cluster.name))?.split(/ {2,}/);
  expect(own?.slice(0, 4)).toEqual([cluster.name, name, cluster.magnum.uuid, 'CREATE_IN_PROGRESS']);
  expect(own?.slice(5, 7)).toEqual(['v1.33.4', expect.stringMatching(/^\d\/\d$/)]);
  expect(lines.some((line) => line.startsWith(other.stackId))).toBe(true);
  expect(output).not.toContain('\x1b');
});

test('one cluster is a tree of its objects, by whichever of its names', async () => {
  const outputs = await Promise.all([cluster.name, cluster.magnum.uuid, name].map((asked) => status(asked)));
  for (const { exitCode, output } of outputs) {
    expect(exitCode).toBe(0);
    expect(output).toMatch(new RegExp(`^${cluster.name}  CREATE_IN_PROGRESS  ${cluster.magnum.uuid}`));
    expect(output).toMatch(/^… cluster\.create: began \S+ ago, \S+ to its deadline$/m);
    for (const kind of ['OpenStackCluster', 'KubeadmControlPlane', 'MachineDeployment', 'ClusterResourceSet']) {
      expect(output).toMatch(new RegExp(`^[├└]─ [✓…✗] ${kind} ${cluster.name}-`, 'm'));
    }
    expect(output).toMatch(/^│ {2}├─ … add-on calico {2}not applied$/m);
    expect(output).toMatch(new RegExp(`^└─ . Deployment ${cluster.name}-autoscaler  0/1 ready`, 'm'));
    expect(output).toMatch(/InfrastructureReady=False/);
  }
});

const document = z.object({
  clusters: z.array(
    z.object({
      stack_id: z.string(),
      name: z.string().nullable(),
      report: z.looseObject({ state: z.string(), status_reason: z.string().nullable() }).nullable(),
      operations: z.array(z.looseObject({ type: z.string(), deadline: z.string().nullable() })),
      objects: z.looseObject({ kind: z.string() }).optional(),
    }),
  ),
});

test('for scripts there is JSON with the report that Magnum gets', async () => {
  const { output } = await status(cluster.name, '-o', 'json');
  const [shown] = document.parse(JSON.parse(output)).clusters;
  expect(shown).toMatchObject({
    stack_id: cluster.name,
    name,
    report: { action: 'CREATE', state: 'IN_PROGRESS' },
    operations: [{ nodegroup: null, type: 'cluster.create' }],
    objects: { kind: 'Cluster' },
  });
  // The status function's own answer.
  const answer = await stage().send(cluster.magnum.requestStatus('CREATE_IN_PROGRESS'));
  expect(shown?.report).toEqual(answer.data);
});

test.each([
  ['a name', 'nobody'],
  ['a UUID', '00000000-0000-4000-8000-000000000000'],
  ['a stack id', 'kube-zzzzz'],
])('%s that is no cluster is said, with exit code 1', async (_what, asked) => {
  const { exitCode, notes } = await status(asked);
  expect(exitCode).toBe(1);
  expect(notes).toMatch(new RegExp(`There is no cluster ${asked} in the management cluster\\.`));
});

describe('a user who may not read everything', () => {
  test('sees the rest, and what is missing', async () => {
    const rules = [
      {
        apiGroups: ['cluster.x-k8s.io', 'controlplane.cluster.x-k8s.io'],
        resources: ['*'],
        verbs: ['get', 'list', 'watch'],
      },
    ];
    const control = { server: inject('server'), caCertificate: inject('caCertificate') };
    const user = await makeLimitedUser(stage().api, { ...control, name: 'status-reader', rules });
    const { exitCode, output, notes } = await runCommand(['status', cluster.name, '--kubeconfig', user.kubeconfig]);
    await user.remove();
    expect({ exitCode, notes }).toEqual({ exitCode: 0, notes: '' });
    expect(output).toMatch(/^├─ . KubeadmControlPlane/m);
    expect(output).toMatch(/^! Cannot list OpenStackServer magnum-system: .*forbidden/m);
    expect(output).not.toMatch(/─ . OpenStackCluster/);
  });
});

test('a watch without a terminal tells each change in a line, until it is interrupted', async () => {
  const child = startCommand(['status', cluster.name, '--watch', '--kubeconfig', inject('kubeconfigPath')]);
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  await expect.poll(() => output, { timeout: 60_000 }).toContain(`${cluster.name}  status: CREATE_IN_PROGRESS`);
  const before = output.length;
  const path = `/apis/cluster.x-k8s.io/v1beta2/namespaces/magnum-system/clusters/${cluster.name}`;
  await stage().api.call('PATCH', path, { spec: { paused: true } });
  await expect.poll(() => output.slice(before), { timeout: 60_000 }).toMatch(/Cluster kube-\S+: .*paused/);
  await stage().api.call('PATCH', path, { spec: { paused: null } });
  child.kill('SIGINT');
  expect(await ended).toBe(0);
  for (const line of output.trimEnd().split('\n')) expect(line).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z {2}kube-/);
});
