import { beforeAll, describe, expect, test } from 'vitest';
import { cloudStageOfFile } from '../cloud/cloud-stage.ts';
import { waitFor } from '../env/wait-for.ts';
import type { ClusterChanges } from '../functions/create-event.ts';
import { readBootstrapSecrets } from '../render/bootstrap-data.ts';
import { type KubeadmVersion, machineConfiguration, validateConfiguration } from '../render/kubeadm.ts';
import { type MachineData, readMachineData } from '../render/machine-data.ts';

// What machines are told that join a running control plane: the provider asks that one for a token, so it lives, on simulated machines.
const stage = cloudStageOfFile();

/** Milliseconds for the first machine, and those after it, on a busy machine. */
const patience = 400_000;

const image_id = 'flatcar-kube-v1.30';
const clusters: readonly (readonly [string, KubeadmVersion, ClusterChanges])[] = [
  ['ubuntu', '1.30.14', {}],
  ['flatcar', '1.36.3', { cluster_template: { cluster_distro: 'flatcar', image_id }, workers: { image_id } }],
];

interface Joining {
  readonly controlPlane: MachineData;
  readonly worker: MachineData;
}

const isJoin = (text: string) => /^kind: JoinConfiguration$/m.test(text);

/** Creates a cluster, lets its control plane grow, and returns what the first that join are told. */
async function join(version: KubeadmVersion, changes: ClusterChanges): Promise<Joining> {
  const { create, change, kubernetes } = stage();
  const labels = { kube_tag: `v${version}` };
  const stackId = await create({ ...changes, labels, workers: { node_count: 1, ...changes.workers } });
  await change(stackId, [{ op: 'replace', path: '/spec/topology/controlPlane/replicas', value: 3 }]);
  const probe = async () => {
    const machines = (await readBootstrapSecrets(kubernetes, stackId)).map(readMachineData);
    const told = await Promise.all(machines.map(async (data) => ({ data, text: await machineConfiguration(data) })));
    const joining = told.filter(({ text }) => isJoin(text));
    const controlPlane = joining.find(({ text }) => /^controlPlane:/m.test(text))?.data;
    const worker = joining.find(({ text }) => !/^controlPlane:/m.test(text))?.data;
    if (controlPlane === undefined || worker === undefined) throw new Error(`${joining.length} machines join`);
    return { controlPlane, worker };
  };
  return waitFor(probe, { what: `machines that join ${stackId}`, timeout: patience, interval: 2_000 });
}

describe.each(clusters)('with %s and Kubernetes %s', (system, version, changes) => {
  let joining: Joining;
  beforeAll(async () => {
    joining = await join(version, changes);
  }, 1_200_000);

  const isFlatcar = system === 'flatcar';
  const config = isFlatcar ? '/etc/kubeadm.yml' : '/run/kubeadm/kubeadm-join-config.yaml';
  const restart = 'systemctl daemon-reload && systemctl restart containerd';
  const joins = `kubeadm join --config ${config}`;

  test('a control plane machine has its files, prepares itself and joins', () => {
    const { files, commands } = joining.controlPlane;
    expect(files.get('/etc/kubernetes/webhooks/authorization.json')?.permissions).toBe('0644');
    expect(files.get('/etc/kubernetes/pki/ca.key')?.permissions).toBe('0600');
    const steps = ['rm -rf /var/lib/etcd/lost+found', restart, 'sh /etc/kubernetes/configure-kube-proxy.sh', joins];
    expect(known(commands, steps)).toEqual(steps);
    if (!isFlatcar) expect(commands).toHaveLength(steps.length);
  });

  test("a worker has none of the control plane's files, and joins when containerd has its own", () => {
    const { files, commands } = joining.worker;
    expect([...files.keys()].filter((path) => /pki|webhooks|audit/.test(path))).toEqual([]);
    expect(known(commands, [restart, joins])).toEqual([restart, joins]);
    if (!isFlatcar) expect(commands).toHaveLength(2);
  });

  test.each(['controlPlane', 'worker'] as const)(
    'kubeadm of that version takes the configuration of a %s',
    async (role) => {
      const configuration = await machineConfiguration(joining[role]);
      expect(configuration.match(/^kind: .*$/gm)).toEqual(['kind: JoinConfiguration']);
      await validateConfiguration(version, configuration);
    },
    1_200_000,
  );
});

/** Those of the steps that begin a command, in the order of the commands. */
function known(commands: readonly string[], steps: readonly string[]): string[] {
  return commands.flatMap((command) => steps.find((step) => command.startsWith(step)) ?? []);
}
