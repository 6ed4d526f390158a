import * as z from 'zod';
import { type ResourceType, resources } from '../../../shared/kubernetes/resources.ts';
import { condition } from './condition.ts';

/** A kind that the controller watches, and as what it reads its objects. */
export interface WatchedKind<T extends WatchedObject> {
  readonly type: ResourceType;
  readonly schema: z.ZodType<T>;
}

const metadata = z.looseObject({
  name: z.string(),
  namespace: z.string(),
  uid: z.string(),
  resourceVersion: z.string(),
  labels: z.record(z.string(), z.string()).optional(),
  annotations: z.record(z.string(), z.string()).optional(),
  deletionTimestamp: z.string().optional(),
  finalizers: z.array(z.string()).optional(),
  ownerReferences: z.array(z.looseObject({ apiVersion: z.string(), kind: z.string(), name: z.string() })).optional(),
});

const common = { apiVersion: z.string(), kind: z.string(), metadata };

const watchedObject = z.looseObject(common);
export type WatchedObject = z.infer<typeof watchedObject>;

const identityRef = z.looseObject({ name: z.string(), cloudName: z.string(), region: z.string().optional() });
const reference = z.looseObject({
  id: z.string().optional(),
  filter: z.looseObject({ name: z.string().optional() }).optional(),
});
export type Reference = z.infer<typeof reference>;

const conditions = z.array(condition).optional();
const network = z.looseObject({ id: z.string(), name: z.string() });
const subnets = z.array(z.looseObject({ id: z.string(), name: z.string(), cidr: z.string() }));

const openStackCluster = z.looseObject({
  ...common,
  spec: z.looseObject({
    identityRef,
    apiServerLoadBalancer: z.looseObject({ enabled: z.boolean().optional() }).optional(),
    apiServerPort: z.int().optional(),
    controlPlaneAvailabilityZones: z.array(z.string()).optional(),
    controlPlaneOmitAvailabilityZone: z.boolean().optional(),
    controlPlaneEndpoint: z.looseObject({ host: z.string(), port: z.int() }).optional(),
    disableAPIServerFloatingIP: z.boolean().optional(),
    disableExternalNetwork: z.boolean().optional(),
    externalNetwork: reference.optional(),
    managedSecurityGroups: z.looseObject({}).optional(),
    managedSubnets: z.array(z.looseObject({ cidr: z.string() })).optional(),
    network: reference.optional(),
    subnets: z.array(reference).optional(),
    tags: z.array(z.string()).optional(),
  }),
  status: z
    .looseObject({
      ready: z.boolean().optional(),
      initialization: z.looseObject({ provisioned: z.boolean().optional() }).optional(),
      network: z.looseObject({ ...network.shape, subnets: subnets.optional() }).optional(),
      externalNetwork: network.optional(),
      router: network.optional(),
      apiServerLoadBalancer: z.looseObject({ ...network.shape, ip: z.string().optional() }).optional(),
      controlPlaneSecurityGroup: network.optional(),
      workerSecurityGroup: network.optional(),
      failureDomains: z.record(z.string(), z.object({ controlPlane: z.boolean() })).optional(),
      failureReason: z.string().optional(),
      failureMessage: z.string().optional(),
      conditions,
    })
    .optional(),
});
export type OpenStackCluster = z.infer<typeof openStackCluster>;

const rootVolume = z.looseObject({ sizeGiB: z.int() });
const blockDevices = z.array(z.looseObject({ name: z.string(), sizeGiB: z.int() }));

/** What an OpenStackMachine says of its server. */
const machineSpec = z.looseObject({
  additionalBlockDevices: blockDevices.optional(),
  flavor: z.string().optional(),
  flavorID: z.string().optional(),
  identityRef: identityRef.optional(),
  image: reference,
  ports: z.array(z.looseObject({})).optional(),
  providerID: z.string().optional(),
  rootVolume: rootVolume.optional(),
  securityGroups: z.array(reference).optional(),
  sshKeyName: z.string().optional(),
  tags: z.array(z.string()).optional(),
  trunk: z.boolean().optional(),
});
export type MachineSpec = z.infer<typeof machineSpec>;

const address = z.object({ type: z.string(), address: z.string() });

const openStackMachine = z.looseObject({
  ...common,
  spec: machineSpec,
  status: z
    .looseObject({
      ready: z.boolean().optional(),
      initialization: z.looseObject({ provisioned: z.boolean().optional() }).optional(),
      instanceID: z.string().optional(),
      addresses: z.array(address).optional(),
      failureReason: z.string().optional(),
      failureMessage: z.string().optional(),
      conditions,
    })
    .optional(),
});
export type OpenStackMachine = z.infer<typeof openStackMachine>;

const port = z.looseObject({
  network: reference.optional(),
  fixedIPs: z.array(z.looseObject({ subnet: reference.optional() })).optional(),
  securityGroups: z.array(reference).optional(),
});
export type Port = z.infer<typeof port>;

const openStackServer = z.looseObject({
  ...common,
  spec: z.looseObject({
    additionalBlockDevices: blockDevices.optional(),
    availabilityZone: z.string().optional(),
    flavor: z.string().optional(),
    flavorID: z.string().optional(),
    identityRef,
    image: reference,
    ports: z.array(port),
    rootVolume: rootVolume.optional(),
    serverGroup: reference.optional(),
    sshKeyName: z.string(),
    tags: z.array(z.string()).optional(),
    userDataRef: z.looseObject({ name: z.string() }).optional(),
  }),
  status: z
    .looseObject({
      ready: z.boolean().optional(),
      instanceID: z.string().optional(),
      instanceState: z.string().optional(),
      resolved: z
        .looseObject({
          serverGroupID: z.string().optional(),
          imageID: z.string().optional(),
          flavorID: z.string().optional(),
          ports: z.array(z.looseObject({ name: z.string(), networkID: z.string() })).optional(),
        })
        .optional(),
      resources: z.looseObject({ ports: z.array(z.looseObject({ id: z.string() })).optional() }).optional(),
      conditions,
    })
    .optional(),
});
export type OpenStackServer = z.infer<typeof openStackServer>;

const openStackMachineTemplate = z.looseObject({
  ...common,
  spec: z.looseObject({ template: z.looseObject({ spec: machineSpec }) }),
  status: z
    .looseObject({
      capacity: z.record(z.string(), z.string()).optional(),
      nodeInfo: z.looseObject({ operatingSystem: z.string().optional() }).optional(),
      /** It has none. */
      conditions,
    })
    .optional(),
});
export type OpenStackMachineTemplate = z.infer<typeof openStackMachineTemplate>;

const objectRef = z.looseObject({ kind: z.string(), name: z.string() });

const machine = z.looseObject({
  ...common,
  spec: z.looseObject({
    bootstrap: z.looseObject({ dataSecretName: z.string().optional() }).optional(),
    failureDomain: z.string().optional(),
    infrastructureRef: objectRef,
    version: z.string().optional(),
  }),
  status: z.looseObject({ nodeRef: z.looseObject({ name: z.string() }).optional() }).optional(),
});
export type Machine = z.infer<typeof machine>;

const cluster = z.looseObject({
  ...common,
  spec: z.looseObject({ paused: z.boolean().optional(), infrastructureRef: objectRef.optional() }),
  status: z
    .looseObject({ initialization: z.looseObject({ infrastructureProvisioned: z.boolean().optional() }).optional() })
    .optional(),
});
export type Cluster = z.infer<typeof cluster>;

function kind<T extends WatchedObject>(type: ResourceType, schema: z.ZodType<T>): WatchedKind<T> {
  return { type, schema };
}

/** What CAPO watches. */
export const kinds = {
  cluster: kind(resources.cluster, cluster),
  machine: kind(resources.machine, machine),
  openStackCluster: kind(resources.openStackCluster, openStackCluster),
  openStackMachine: kind(resources.openStackMachine, openStackMachine),
  openStackMachineTemplate: kind(resources.openStackMachineTemplate, openStackMachineTemplate),
  openStackServer: kind(resources.openStackServer, openStackServer),
} as const;

export const clusterNameLabel = 'cluster.x-k8s.io/cluster-name';

export function isControlPlane({ metadata: { labels } }: Machine): boolean {
  return labels?.['cluster.x-k8s.io/control-plane'] !== undefined;
}

/** Path of the kind's objects in all namespaces, in one, or of one object. */
export function pathOf({ apiVersion, plural }: ResourceType, namespace = '', name = ''): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const within = namespace === '' ? root : `${root}/namespaces/${namespace}`;
  return name === '' ? `${within}/${plural}` : `${within}/${plural}/${name}`;
}
