import type { ClusterIntent, NodegroupIntent } from '../../shared/magnum/cluster-intent.ts';
import type { CloudFacts, ServerGroupFacts } from '../../shared/render/cloud-facts.ts';

/** Ids as OpenStack makes them; CAPO's schema refuses anything else. */
export const ids = {
  cluster: '0c3e9f8a-6d57-4f0b-9b1e-0d8f3a5c7e21',
  ubuntuImage: '6f1c5f7e-8a43-4a53-8f6a-6a8d0e5f1b01',
  gpuImage: '6f1c5f7e-8a43-4a53-8f6a-6a8d0e5f1b02',
  externalNetwork: 'c1d5a1a0-0b64-4a10-93a4-3f62a1f0d001',
  fixedNetwork: 'c1d5a1a0-0b64-4a10-93a4-3f62a1f0d002',
  fixedSubnet: 'c1d5a1a0-0b64-4a10-93a4-3f62a1f0d003',
  controlPlaneGroup: '2f9d4f1c-52f3-4c86-a2c6-7ff3c2a9e001',
  workerGroup: '2f9d4f1c-52f3-4c86-a2c6-7ff3c2a9e002',
} as const;

const noVolume = { size: 0, type: null };
const serverGroup = { policy: 'soft-anti-affinity', differentFailureDomain: false } as const;

/** The plainest nodegroup that Magnum makes. */
export function exampleNodegroup(changes: Partial<NodegroupIntent> = {}): NodegroupIntent {
  return {
    name: 'default-worker',
    role: 'worker',
    size: { kind: 'fixed', replicas: 2 },
    flavor: 'm1.large',
    image: 'ubuntu-22.04',
    bootVolume: noVolume,
    bootVolumeAvailabilityZone: null,
    dockerVolume: noVolume,
    availabilityZone: null,
    imageRepository: null,
    serverGroup,
    autoHealing: true,
    nodeLabels: {},
    nodeTaints: [],
    ...changes,
  };
}

/** The plainest cluster that Magnum makes: one control plane machine, two workers, nothing set that has a default. */
export function exampleIntent(changes: Partial<ClusterIntent> = {}): ClusterIntent {
  return { ...plainIntent, ...changes };
}

const plainIntent: ClusterIntent = {
  uuid: ids.cluster,
  projectId: 'a9d0b7f6d2f14f3c8a1a4f3b9b1c2d3e',
  userId: 'b8c1a6e5c1e03e2b7909f2a8a0b1c2d3',
  stackId: null,
  kubernetesVersion: 'v1.33.4',
  operatingSystem: 'ubuntu',
  cni: { kind: 'calico', tag: 'v3.32.1' },
  controlPlane: {
    replicas: 1,
    flavor: 'm1.medium',
    image: 'ubuntu-22.04',
    availabilityZones: [],
    serverGroup,
    autoHealing: true,
  },
  workers: [exampleNodegroup()],
  keypair: null,
  network: {
    externalNetwork: 'public',
    fixedNetwork: null,
    fixedSubnet: null,
    nodeCidr: '10.0.0.0/24',
    dnsNameservers: ['8.8.8.8'],
    podCidr: '10.100.0.0/16',
    serviceCidr: '10.254.0.0/16',
    serviceDomain: 'cluster.local',
  },
  apiServer: {
    loadBalancer: { enabled: true, provider: null, flavor: null, availabilityZone: null },
    floatingIpEnabled: true,
    floatingIp: null,
    certSans: [],
    tlsCipherSuites: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    admissionPlugins: ['NodeRestriction'],
    oidc: null,
    auditLog: null,
    keystoneAuth: true,
  },
  kubelet: { tlsCipherSuites: 'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256', servingCertVerification: false },
  loadBalancer: { provider: 'amphorav2', algorithm: 'ROUND_ROBIN', healthMonitor: true },
  bootVolume: noVolume,
  bootVolumeAvailabilityZone: null,
  dockerVolume: noVolume,
  etcdVolume: noVolume,
  availabilityZone: null,
  imageRepository: null,
  proxy: { http: null, https: null, noProxy: null },
  addons: {
    hubbleUi: false,
    cloudProviderTag: null,
    cinderCsi: { enabled: true, pluginTag: 'v1.32.0', availabilityZone: null },
    manilaCsi: { enabled: true, pluginTag: 'v1.32.0', shareNetworkId: null },
    csiSidecarTags: {
      attacher: 'v4.7.0',
      livenessProbe: 'v2.14.0',
      nodeDriverRegistrar: 'v2.12.0',
      provisioner: 'v5.1.0',
      resizer: 'v1.12.0',
      snapshotter: 'v8.1.0',
    },
  },
};

/** A cloud that knows what the examples name. */
export const exampleFacts: CloudFacts = {
  flavors: {
    'm1.medium': { name: 'm1.medium', vcpus: 2, ram: 4096, disk: 40 },
    'm1.large': { name: 'm1.large', vcpus: 4, ram: 8000, disk: 80 },
  },
  images: {
    'ubuntu-22.04': { id: ids.ubuntuImage, diskBus: '' },
    'ubuntu-gpu': { id: ids.gpuImage, diskBus: 'scsi' },
  },
  externalNetworkId: ids.externalNetwork,
  fixedNetworkId: null,
  fixedSubnetId: null,
  defaultVolumeType: '__DEFAULT__',
};

export const exampleServerGroups: ServerGroupFacts = {
  controlPlane: ids.controlPlaneGroup,
  workers: { 'default-worker': ids.workerGroup },
};
