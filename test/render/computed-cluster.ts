import * as z from 'zod';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';

/** A part of an object, as the controller wrote it. */
export type Fields = Readonly<Record<string, unknown>>;

/** What makes a node: a kubeadm configuration, its lists turned into records so that a test can name one entry. */
export interface ComputedNode {
  readonly config: Fields;
  /** Content, decoded, by path. */
  readonly files: Readonly<Record<string, string>>;
  /** Octal, by path. */
  readonly permissions: Readonly<Record<string, string | undefined>>;
  readonly commands: readonly string[];
  readonly commandsAfter: readonly string[];
  readonly joinRegistration: ComputedRegistration;
  /** Spec of the OpenStackMachines. */
  readonly machine: Fields;
}

interface ComputedRegistration {
  readonly name: string | undefined;
  readonly kubelet: Arguments;
  readonly taints: unknown;
}

type Arguments = Readonly<Record<string, string>>;

export interface ComputedControlPlane extends ComputedNode {
  readonly spec: Fields;
  readonly apiServer: Arguments;
  readonly apiServerVolumes: readonly unknown[];
  readonly certSans: readonly string[];
  readonly initRegistration: ComputedRegistration;
}

export interface ComputedNodegroup extends ComputedNode {
  /** Spec of the MachineDeployment. */
  readonly deployment: Fields;
  readonly annotations: Readonly<Record<string, string>>;
}

/** Everything that the topology controller computed of one Cluster. */
export interface ComputedCluster {
  /** Spec of the OpenStackCluster. */
  readonly infrastructure: Fields;
  readonly controlPlane: ComputedControlPlane;
  /** By name of the nodegroup. */
  readonly nodegroups: Readonly<Record<string, ComputedNodegroup>>;
  /** Specs of the MachineHealthChecks, by name of the nodegroup, '' for the control plane. */
  readonly healthChecks: Readonly<Record<string, Fields>>;
}

const fields = z.record(z.string(), z.unknown());
const reference = z.object({ name: z.string() });
const argumentList = z
  .array(z.object({ name: z.string(), value: z.string() }))
  .optional()
  .transform((list = []) => Object.fromEntries(list.map(({ name, value }) => [name, value])));
const registration = z
  .object({ name: z.string().optional(), kubeletExtraArgs: argumentList, taints: z.unknown().optional() })
  .transform(({ name, kubeletExtraArgs, taints }) => ({ name, kubelet: kubeletExtraArgs, taints }));
const nodeConfig = z.looseObject({
  joinConfiguration: z.looseObject({ nodeRegistration: registration }),
  files: z.array(z.object({ path: z.string(), content: z.string(), permissions: z.string().optional() })).optional(),
  preKubeadmCommands: z.array(z.string()).optional(),
  postKubeadmCommands: z.array(z.string()).optional(),
});
const controlPlaneConfig = nodeConfig.extend({
  initConfiguration: z.looseObject({ nodeRegistration: registration }),
  clusterConfiguration: z.looseObject({
    apiServer: z.looseObject({
      extraArgs: argumentList,
      extraVolumes: z.array(z.unknown()).optional(),
      certSANs: z.array(z.string()).optional(),
    }),
  }),
});
const controlPlaneObject = z.object({
  spec: z.looseObject({
    kubeadmConfigSpec: controlPlaneConfig,
    machineTemplate: z.looseObject({ spec: z.looseObject({ infrastructureRef: reference }) }),
  }),
});
const deploymentObject = z.object({
  metadata: z.object({
    labels: z.object({ 'topology.cluster.x-k8s.io/deployment-name': z.string() }),
    annotations: z.record(z.string(), z.string()).optional(),
  }),
  spec: z.looseObject({
    template: z.looseObject({
      spec: z.looseObject({ bootstrap: z.object({ configRef: reference }), infrastructureRef: reference }),
    }),
  }),
});
const healthCheckType = {
  apiVersion: resources.cluster.apiVersion,
  kind: 'MachineHealthCheck',
  plural: 'machinehealthchecks',
  namespaced: true,
};
const healthCheckObject = z.object({
  spec: z.looseObject({
    selector: z.object({
      matchLabels: z.looseObject({ 'topology.cluster.x-k8s.io/deployment-name': z.string().optional() }),
    }),
  }),
});
const template = <T extends z.ZodType>(spec: T) => z.object({ spec: z.object({ template: z.object({ spec }) }) });

/** Reads what the topology controller made of a Cluster that it has reconciled. */
export async function readComputedCluster(client: KubernetesClient, stackId: string): Promise<ComputedCluster> {
  const ofCluster = { namespace: managementNamespace, labelSelector: `cluster.x-k8s.io/cluster-name=${stackId}` };
  const [infrastructures, controlPlanes, deployments, healthChecks] = await Promise.all([
    client.list(resources.openStackCluster, ofCluster),
    client.list(resources.kubeadmControlPlane, ofCluster),
    client.list(resources.machineDeployment, ofCluster),
    client.list(healthCheckType, ofCluster),
  ]);
  return {
    infrastructure: fields.parse(infrastructures[0]?.spec),
    controlPlane: await readControlPlane(client, controlPlanes[0]),
    nodegroups: Object.fromEntries(await Promise.all(deployments.map((one) => readNodegroup(client, one)))),
    healthChecks: Object.fromEntries(healthChecks.map(readHealthCheck)),
  };
}

function readHealthCheck(object: unknown): [string, Fields] {
  const { spec } = healthCheckObject.parse(object);
  return [spec.selector.matchLabels['topology.cluster.x-k8s.io/deployment-name'] ?? '', spec];
}

async function readControlPlane(client: KubernetesClient, object: unknown): Promise<ComputedControlPlane> {
  const { spec } = controlPlaneObject.parse(object);
  const { kubeadmConfigSpec: config } = spec;
  return {
    ...computedNode(config, await readMachine(client, spec.machineTemplate.spec.infrastructureRef.name)),
    spec,
    apiServer: config.clusterConfiguration.apiServer.extraArgs,
    apiServerVolumes: config.clusterConfiguration.apiServer.extraVolumes ?? [],
    certSans: config.clusterConfiguration.apiServer.certSANs ?? [],
    initRegistration: config.initConfiguration.nodeRegistration,
  };
}

async function readNodegroup(client: KubernetesClient, object: unknown): Promise<[string, ComputedNodegroup]> {
  const { metadata, spec } = deploymentObject.parse(object);
  const { bootstrap, infrastructureRef } = spec.template.spec;
  const [config, machine] = await Promise.all([
    readTemplate(client, resources.kubeadmConfigTemplate, bootstrap.configRef.name),
    readMachine(client, infrastructureRef.name),
  ]);
  return [
    metadata.labels['topology.cluster.x-k8s.io/deployment-name'],
    { ...computedNode(nodeConfig.parse(config), machine), deployment: spec, annotations: metadata.annotations ?? {} },
  ];
}

function readMachine(client: KubernetesClient, name: string): Promise<Fields> {
  return readTemplate(client, resources.openStackMachineTemplate, name);
}

async function readTemplate(client: KubernetesClient, type: ResourceType, name: string): Promise<Fields> {
  const object = await client.get(type, { name, namespace: managementNamespace });
  return template(fields).parse(object).spec.template.spec;
}

function computedNode(config: z.output<typeof nodeConfig>, machine: Fields): ComputedNode {
  const { files = [], preKubeadmCommands = [], postKubeadmCommands = [] } = config;
  return {
    config,
    files: Object.fromEntries(files.map(({ path, content }) => [path, Buffer.from(content, 'base64').toString()])),
    permissions: Object.fromEntries(files.map(({ path, permissions }) => [path, permissions])),
    commands: preKubeadmCommands,
    commandsAfter: postKubeadmCommands,
    joinRegistration: config.joinConfiguration.nodeRegistration,
    machine,
  };
}
