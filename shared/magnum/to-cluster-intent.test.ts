import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { fullSnapshot, sampleNodegroup, sampleSnapshot } from './sample-snapshots.ts';
import { clusterSnapshot, clusterTemplateSnapshot, magnumOptions, nodegroupSnapshot } from './snapshot.ts';
import { toClusterIntent } from './to-cluster-intent.ts';

const csiSidecarTags = {
  attacher: 'v4.7.0',
  livenessProbe: 'v2.14.0',
  nodeDriverRegistrar: 'v2.12.0',
  provisioner: 'v5.1.0',
  resizer: 'v1.12.0',
  snapshotter: 'v8.1.0',
};

test('a cluster without labels but kube_tag gets the defaults of the original driver', () => {
  const none = { size: 0, type: null };
  const serverGroup = { policy: 'soft-anti-affinity', differentFailureDomain: false };
  expect(toClusterIntent(sampleSnapshot({ worker: { labels: {} } }))).toEqual({
    notes: [],
    intent: {
      uuid: '21d56b0e-dd80-41ec-b63e-d6fad0deca84',
      projectId: 'be2ec97724bd4f14bd0bcf2458dff078',
      userId: '80f92926956f4e4dae5909182cc43ad7',
      stackId: null,
      kubernetesVersion: 'v1.33.4',
      operatingSystem: 'ubuntu',
      cni: { kind: 'calico', tag: 'v3.32.1' },
      controlPlane: {
        replicas: 1,
        flavor: 'm1.medium',
        image: 'ubuntu-2204-kube-v1.33',
        availabilityZones: [],
        serverGroup,
        autoHealing: true,
      },
      workers: [
        {
          name: 'default-worker',
          role: 'worker',
          size: { kind: 'fixed', replicas: 2 },
          flavor: 'm1.medium',
          image: 'ubuntu-2204-kube-v1.33',
          bootVolume: none,
          bootVolumeAvailabilityZone: null,
          dockerVolume: none,
          availabilityZone: null,
          imageRepository: null,
          serverGroup,
          autoHealing: true,
          nodeLabels: {},
          nodeTaints: [],
        },
      ],
      keypair: 'mykey',
      network: {
        externalNetwork: 'public',
        fixedNetwork: null,
        fixedSubnet: null,
        nodeCidr: '10.0.0.0/24',
        dnsNameservers: [],
        podCidr: '10.100.0.0/16',
        serviceCidr: '10.254.0.0/16',
        serviceDomain: 'cluster.local',
      },
      apiServer: {
        loadBalancer: { enabled: true, provider: null, flavor: null, availabilityZone: null },
        floatingIpEnabled: true,
        floatingIp: null,
        certSans: [],
        tlsCipherSuites:
          'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305,TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305',
        admissionPlugins: ['NodeRestriction'],
        oidc: null,
        auditLog: null,
        keystoneAuth: true,
      },
      kubelet: {
        tlsCipherSuites:
          'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
        servingCertVerification: false,
      },
      loadBalancer: { provider: 'amphorav2', algorithm: 'ROUND_ROBIN', healthMonitor: true },
      bootVolume: none,
      bootVolumeAvailabilityZone: null,
      dockerVolume: none,
      etcdVolume: none,
      availabilityZone: null,
      imageRepository: null,
      proxy: { http: null, https: null, noProxy: null },
      addons: {
        hubbleUi: false,
        cloudProviderTag: null,
        cinderCsi: { enabled: true, pluginTag: 'v1.32.0', availabilityZone: null },
        manilaCsi: { enabled: true, pluginTag: 'v1.32.0', shareNetworkId: null },
        csiSidecarTags,
      },
    },
  });
});

test('every label and field of a full cluster reaches the intent', () => {
  expect(toClusterIntent(fullSnapshot())).toMatchObject({
    notes: [],
    intent: {
      cni: { kind: 'cilium', tag: 'v1.15.3' },
      controlPlane: { replicas: 3, serverGroup: { policy: 'anti-affinity' } },
      workers: [
        {
          size: { kind: 'autoscaled', minimum: 1, maximum: 5 },
          bootVolume: { size: 20, type: 'ssd' },
          bootVolumeAvailabilityZone: 'nova',
          dockerVolume: { size: 20, type: null },
          availabilityZone: 'nova',
          imageRepository: 'registry.example.org/mirror',
        },
      ],
      network: { dnsNameservers: ['8.8.8.8', '1.1.1.1'] },
      apiServer: {
        loadBalancer: { enabled: true, provider: 'ovn' },
        floatingIpEnabled: false,
        certSans: ['k8s.example.org'],
        oidc: {
          issuerUrl: 'https://id.example.org',
          clientId: 'k8s',
          usernameClaim: 'sub',
          usernamePrefix: '-',
          groupsClaim: '',
          groupsPrefix: '',
        },
        auditLog: { maxAge: '30', maxBackup: '10', maxSize: '100' },
      },
      loadBalancer: { provider: 'ovn', algorithm: 'SOURCE_IP_PORT' },
      bootVolume: { size: 20, type: 'ssd' },
      dockerVolume: { size: 20 },
      etcdVolume: { size: 10, type: null },
      proxy: { http: 'http://proxy.example:3128', https: 'http://proxy.example:3128', noProxy: '10.0.0.0/8' },
    },
  });
});

test('the name of a cluster does not matter', () => {
  const snapshot = sampleSnapshot({ cluster: { name: 'with.dots_and-UPPER ünï "quoted"' } });
  expect(toClusterIntent(snapshot)).toHaveProperty('intent.stackId', null);
});

test('masters and nodegroups that are being deleted are no workers', () => {
  const deleting = sampleNodegroup({ name: 'Not_A_Name', status: 'DELETE_FAILED' });
  const outcome = toClusterIntent(sampleSnapshot({ more: [deleting, sampleNodegroup()] }));
  expect(outcome).toHaveProperty('intent.workers.length', 2);
  expect(outcome).toHaveProperty('intent.workers.1.name', 'gpu');
});

test('two nodegroups with the same name are a fault', () => {
  const outcome = toClusterIntent(sampleSnapshot({ more: [sampleNodegroup(), sampleNodegroup({ uuid: 'other' })] }));
  expect(outcome).toEqual({
    faults: [
      {
        code: 'invalid_field',
        field: 'nodegroups.gpu.name',
        message: 'Nodegroup gpu: two nodegroups have this name.',
      },
    ],
  });
});

test('all faults of a request come at once, each once', () => {
  const outcome = toClusterIntent(
    sampleSnapshot({
      labels: { kube_tag: 'latest', boot_volume_size: '10GB', keystone_auth_enabled: 'maybe' },
      cluster: { master_count: 2 },
      template: { network_driver: 'flannel', external_network_id: null },
    }),
  );
  expect(outcome).toEqual({
    faults: [
      {
        code: 'invalid_label',
        field: 'labels.kube_tag',
        message: 'Label kube_tag: "latest" is not a Kubernetes version such as v1.33.4.',
      },
      {
        code: 'invalid_field',
        field: 'cluster_template.network_driver',
        message: 'Field network_driver of the cluster template: "flannel" is not one of calico, cilium.',
      },
      {
        code: 'invalid_field',
        field: 'cluster.master_count',
        message: 'Field master_count of the cluster: "2" is not an odd number of masters.',
      },
      {
        code: 'invalid_label',
        field: 'labels.boot_volume_size',
        message: 'Label boot_volume_size: "10GB" is not a whole number of GiB.',
      },
      {
        code: 'invalid_field',
        field: 'cluster_template.external_network_id',
        message: 'Field external_network_id of the cluster template is missing.',
      },
      {
        code: 'invalid_label',
        field: 'labels.keystone_auth_enabled',
        message: 'Label keystone_auth_enabled: "maybe" is neither true nor false.',
      },
    ],
  });
});

test('labels that the driver does not know pass', () => {
  const labels = { prometheus_monitoring: 'yes', '': '', __proto__x: '1', constructor: 'x' };
  expect(toClusterIntent(sampleSnapshot({ labels }))).toHaveProperty('notes', []);
});

test('names of the cloud may be missing in the cluster where the template or a nodegroup has them', () => {
  const outcome = toClusterIntent(
    sampleSnapshot({
      cluster: { master_flavor_id: null, flavor_id: null, master_lb_enabled: null, keypair: null },
      template: { flavor_id: 'big' },
      worker: { flavor_id: null, image_id: null },
    }),
  );
  expect(outcome).toMatchObject({
    intent: {
      keypair: null,
      controlPlane: { flavor: 'm1.medium' },
      workers: [{ flavor: 'big', image: 'ubuntu-2204-kube-v1.33' }],
      apiServer: { loadBalancer: { enabled: true } },
    },
  });
});

test('without a master nodegroup the masters come from cluster and template', () => {
  const snapshot = sampleSnapshot();
  const nodegroups = snapshot.nodegroups.filter((nodegroup) => nodegroup.role !== 'master');
  expect(toClusterIntent({ ...snapshot, nodegroups })).toMatchObject({
    intent: { controlPlane: { replicas: 1, flavor: 'm1.medium', image: 'ubuntu-2204-kube-v1.33' } },
  });
});

const samples = new URL('../../../shared/samples/', import.meta.url);
const request = z.object({
  cluster: clusterSnapshot,
  cluster_template: clusterTemplateSnapshot,
  nodegroups: z.array(nodegroupSnapshot),
  options: magnumOptions,
});

test
  .skipIf(!existsSync(samples))
  .each(['create-plain', 'create-full', 'create-odd-name', 'resize-masters', 'upgrade', 'nodegroup-create'])(
  'what a real Magnum sends for %s is an intent without notes',
  (name) => {
    const snapshot = request.parse(JSON.parse(readFileSync(new URL(`${name}.json`, samples), 'utf8')));
    expect(toClusterIntent(snapshot)).toHaveProperty('notes', []);
  },
);
