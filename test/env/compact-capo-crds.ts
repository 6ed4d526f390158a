import type { CustomResourceDefinition } from './manifests.ts';
import { namespacedDefinition } from './namespaced-definition.ts';

// Definitions of the kinds of Cluster API Provider OpenStack that the driver and its tests touch: names, scope, versions,
// subresources, and the types of the fields that a ClusterClass writes. Every other field passes.
// Shapes: original-facts §1.3 and §1.5, CAPO 0.14.

type Schema = Readonly<Record<string, unknown>>;

const group = 'infrastructure.cluster.x-k8s.io';
const text: Schema = { type: 'string' };
const flag: Schema = { type: 'boolean' };
const integer: Schema = { type: 'integer' };
const texts = list(text);

const reference = object({ id: text });
const availabilityZone = object({ name: text, from: { type: 'string', enum: ['Name', 'Machine'], default: 'Name' } });
const identityRef = object(
  {
    name: text,
    cloudName: text,
    region: text,
    type: { type: 'string', enum: ['Secret', 'ClusterIdentity'], default: 'Secret' },
  },
  ['name', 'cloudName'],
);

const blockDevice = object(
  {
    name: text,
    sizeGiB: integer,
    storage: object({ type: text, volume: object({ type: text, availabilityZone }) }, ['type']),
  },
  ['name', 'sizeGiB', 'storage'],
);

const schedulerHint = object(
  {
    name: text,
    value: object(
      { type: { type: 'string', enum: ['Bool', 'String', 'Number'] }, bool: flag, number: integer, string: text },
      ['type'],
    ),
  },
  ['name', 'value'],
);

const securityGroupRule = object(
  {
    name: text,
    direction: { type: 'string', enum: ['ingress', 'egress'] },
    etherType: { type: 'string', enum: ['IPv4', 'IPv6'] },
    protocol: text,
    portRangeMin: integer,
    portRangeMax: integer,
    remoteIPPrefix: text,
    remoteManagedGroups: texts,
  },
  ['name', 'direction'],
);

const machineFields = {
  flavor: text,
  identityRef,
  image: reference,
  rootVolume: object({ type: text, sizeGiB: integer, availabilityZone }, ['sizeGiB']),
  additionalBlockDevices: named(blockDevice),
  serverGroup: reference,
  schedulerHintAdditionalProperties: named(schedulerHint),
  sshKeyName: text,
  configDrive: flag,
  tags: texts,
};

const machineSpec = object({ ...machineFields, providerID: text }, ['image']);

const serverSpec = object({ ...machineFields, availabilityZone: text, ports: list(object({})) }, [
  'identityRef',
  'image',
  'ports',
  'sshKeyName',
]);

const clusterSpec = object(
  {
    identityRef,
    apiServerFloatingIP: text,
    apiServerLoadBalancer: object({ enabled: flag, provider: text, flavor: text, availabilityZone: text }, ['enabled']),
    controlPlaneAvailabilityZones: texts,
    controlPlaneEndpoint: object({ host: text, port: integer }),
    disableAPIServerFloatingIP: flag,
    externalNetwork: reference,
    managedSecurityGroups: object({
      allowAllInClusterTraffic: { type: 'boolean', default: false },
      allNodesSecurityGroupRules: named(securityGroupRule),
      controlPlaneNodesSecurityGroupRules: named(securityGroupRule),
      workerNodesSecurityGroupRules: named(securityGroupRule),
    }),
    managedSubnets: list(object({ cidr: text, dnsNameservers: texts }, ['cidr'])),
    network: reference,
    subnets: list(reference),
  },
  ['identityRef'],
);

/** The compact definitions, for a machine that has no strict ones. */
export function compactCapoDefinitions(): CustomResourceDefinition[] {
  return [
    definition('OpenStackCluster', 'v1beta1', clusterSpec),
    definition('OpenStackClusterTemplate', 'v1beta1', template(clusterSpec)),
    definition('OpenStackMachine', 'v1beta1', machineSpec),
    definition('OpenStackMachineTemplate', 'v1beta1', template(machineSpec)),
    definition('OpenStackServer', 'v1alpha1', serverSpec),
  ];
}

function definition(kind: string, version: string, spec: Schema): CustomResourceDefinition {
  const schema = { type: 'object', properties: { spec, status: object({ ready: flag }) } };
  const subresources = { status: {} };
  return namespacedDefinition({ group, version, kind, schema, categories: ['cluster-api'], subresources });
}

function template(spec: Schema): Schema {
  return object({ template: object({ spec }, ['spec']) }, ['template']);
}

function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  const fields = { type: 'object', properties, 'x-kubernetes-preserve-unknown-fields': true };
  return required.length === 0 ? fields : { ...fields, required };
}

function list(items: Schema): Schema {
  return { type: 'array', items };
}

/** A list whose entries several writers own, each by its name. */
function named(items: Schema): Schema {
  return { ...list(items), 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['name'] };
}
