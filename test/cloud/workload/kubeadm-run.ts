import { loadAll } from 'js-yaml';
import * as z from 'zod';
import type { BootstrapData } from './bootstrap-data.ts';

/** What kubeadm is told to do on a machine. */
export type KubeadmRun = InitRun | JoinRun;

interface InitRun extends MachineSettings {
  readonly kind: 'init';
  readonly isControlPlane: true;
  /** Of kubeadm.k8s.io, v1beta3 or v1beta4. */
  readonly clusterConfiguration: ClusterConfiguration;
}

interface JoinRun extends MachineSettings {
  readonly kind: 'join';
  readonly isControlPlane: boolean;
}

interface MachineSettings {
  readonly nodeName: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** Port on which the machine's kube-apiserver believes to listen. */
  readonly bindPort: number;
  /** E.g. `addon/kube-proxy`. */
  readonly skipPhases: readonly string[];
}

const taint = z.object({ key: z.string(), value: z.string().optional(), effect: z.string() });
export type Taint = z.infer<typeof taint>;

/** v1beta4 has a list, v1beta3 had a map. */
const extraArguments = z.union([
  z.array(z.object({ name: z.string(), value: z.string() })).transform((list) => {
    return Object.fromEntries(list.map(({ name, value }) => [name, value]));
  }),
  z.record(z.string(), z.string()),
]);

const nodeRegistration = z.object({
  name: z.string().default(''),
  taints: z.array(taint).nullish(),
  kubeletExtraArgs: extraArguments.default({}),
});

const localEndpoint = z.object({ bindPort: z.int().default(6443) });
const machineConfiguration = z.object({
  kind: z.enum(['InitConfiguration', 'JoinConfiguration']),
  nodeRegistration: nodeRegistration.prefault({}),
  localAPIEndpoint: localEndpoint.prefault({}),
  controlPlane: z.object({ localAPIEndpoint: localEndpoint.prefault({}) }).nullish(),
  skipPhases: z.array(z.string()).default([]),
});
type MachineConfiguration = z.infer<typeof machineConfiguration>;

const clusterConfiguration = z.looseObject({
  apiVersion: z.string(),
  kind: z.literal('ClusterConfiguration'),
  imageRepository: z.string().default('registry.k8s.io'),
});
export type ClusterConfiguration = z.infer<typeof clusterConfiguration>;

/** Where Cluster API's kubeadm bootstrap provider puts kubeadm's configuration: for init, join, and either with Ignition. */
const configurationFiles = ['/run/kubeadm/kubeadm.yaml', '/run/kubeadm/kubeadm-join-config.yaml', '/etc/kubeadm.yml'];

/** kubeadm's default for a control plane machine whose taints are not given; an empty list means none. */
const controlPlaneTaint: Taint = { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' };

/**
 * Reads what kubeadm does on a machine.
 * @param machineName The node's name where the configuration leaves it to the machine.
 * @throws when the data has no configuration of kubeadm, or one that kubeadm would not take.
 */
export function readKubeadmRun(data: BootstrapData, machineName: string): KubeadmRun {
  const documents = readConfiguration(data);
  const machines = ofKind(documents, 'InitConfiguration', 'JoinConfiguration');
  if (machines.length !== 1) {
    throw new TypeError(`kubeadm needs one InitConfiguration or JoinConfiguration, but has ${machines.length}.`);
  }
  const configuration = machineConfiguration.parse(machines[0]);
  const isControlPlane = configuration.kind === 'InitConfiguration' || configuration.controlPlane != null;
  const settings = readSettings(configuration, { machineName, isControlPlane });
  if (configuration.kind === 'JoinConfiguration') {
    return { kind: 'join', isControlPlane, ...settings };
  }
  const [cluster] = ofKind(documents, 'ClusterConfiguration');
  if (cluster === undefined) {
    throw new TypeError('The InitConfiguration comes without a ClusterConfiguration.');
  }
  return { kind: 'init', isControlPlane: true, clusterConfiguration: clusterConfiguration.parse(cluster), ...settings };
}

function ofKind(documents: readonly unknown[], ...kinds: readonly string[]): unknown[] {
  return documents.filter((one) => kinds.includes(z.object({ kind: z.string() }).safeParse(one).data?.kind ?? ''));
}

function readConfiguration({ files }: BootstrapData): unknown[] {
  const path = configurationFiles.find((one) => files.has(one));
  if (path === undefined) {
    throw new TypeError(`The bootstrap data has none of ${configurationFiles.join(', ')}.`);
  }
  return loadAll(files.get(path) ?? '');
}

interface Context {
  readonly machineName: string;
  readonly isControlPlane: boolean;
}

function readSettings(configuration: MachineConfiguration, context: Context): MachineSettings {
  const { name, taints, kubeletExtraArgs } = configuration.nodeRegistration;
  const { localAPIEndpoint } = configuration.controlPlane ?? configuration;
  return {
    nodeName: isNodeName(name) ? name : context.machineName,
    labels: readLabels(kubeletExtraArgs['node-labels'] ?? ''),
    taints: taints ?? (context.isControlPlane ? [controlPlaneTaint] : []),
    bindPort: localAPIEndpoint.bindPort,
    skipPhases: configuration.skipPhases,
  };
}

/** A name that no Node can have, like `{{ local_hostname }}`, stands for what the machine puts there. */
function isNodeName(name: string): boolean {
  return /^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$/.test(name);
}

function readLabels(argument: string): Record<string, string> {
  const pairs = argument.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return [key, value.join('=')];
    }),
  );
}
