import { dump } from 'js-yaml';
import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import type { ClusterConfiguration } from './kubeadm-run.ts';
import { unlessPresent } from './nodes.ts';

export interface InitialisedCluster {
  readonly clusterConfiguration: ClusterConfiguration;
  /** E.g. `v1.34.1`. */
  readonly kubernetesVersion: string;
  /** E.g. `addon/kube-proxy`. */
  readonly skipPhases: readonly string[];
}

const kubeSystem = '/api/v1/namespaces/kube-system';
const workloads = '/apis/apps/v1/namespaces/kube-system';
/** The one of Kubernetes 1.34; the control plane provider knows how to migrate from it. */
const coreDnsVersion = 'v1.12.1';

/** Leaves in the cluster what kubeadm init leaves there and the control plane provider reads and changes. */
export async function uploadKubeadmObjects(api: KubernetesApi, cluster: InitialisedCluster): Promise<void> {
  const create = (path: string, body: unknown) => unlessPresent(api.call('POST', path, body));
  // kube-apiserver makes it too, but some time after it is ready.
  await create('/api/v1/namespaces', { metadata: { name: 'kube-system' } });
  await create(`${kubeSystem}/configmaps`, kubeadmConfig(cluster));
  await create(`${kubeSystem}/configmaps`, kubeletConfig);
  const skips = (addon: string) => ['addon', `addon/${addon}`].some((phase) => cluster.skipPhases.includes(phase));
  if (!skips('coredns')) {
    await create(`${kubeSystem}/configmaps`, configMap('coredns', { Corefile: corefile }));
    await create(`${workloads}/deployments`, coreDns(cluster));
  }
  if (!skips('kube-proxy')) {
    await create(`${workloads}/daemonsets`, kubeProxy(cluster));
  }
}

function configMap(name: string, data: Readonly<Record<string, string>>) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'kube-system' }, data };
}

/** kubeadm writes what it was given with its defaults filled in. */
function kubeadmConfig({ clusterConfiguration, kubernetesVersion }: InitialisedCluster) {
  const defaults = {
    apiServer: {},
    caCertificateValidityPeriod: '87600h0m0s',
    certificateValidityPeriod: '8760h0m0s',
    certificatesDir: '/etc/kubernetes/pki',
    clusterName: 'kubernetes',
    controllerManager: {},
    dns: {},
    encryptionAlgorithm: 'RSA-2048',
    etcd: { local: { dataDir: '/var/lib/etcd' } },
    kubernetesVersion,
    proxy: {},
    scheduler: {},
  };
  return configMap('kubeadm-config', {
    ClusterConfiguration: dump(withoutUnknown({ ...defaults, ...clusterConfiguration })),
  });
}

/** Fields that v1beta4 has brought. */
const newFields = ['caCertificateValidityPeriod', 'certificateValidityPeriod', 'encryptionAlgorithm', 'proxy'];

function withoutUnknown(configuration: Readonly<Record<string, unknown>>) {
  const isOld = configuration['apiVersion'] === 'kubeadm.k8s.io/v1beta3';
  return Object.fromEntries(Object.entries(configuration).filter(([name]) => !(isOld && newFields.includes(name))));
}

const kubeletConfig = configMap('kubelet-config', {
  kubelet: dump({ apiVersion: 'kubelet.config.k8s.io/v1beta1', kind: 'KubeletConfiguration', cgroupDriver: 'systemd' }),
});

const corefile = `.:53 {
    errors
    health {
       lameduck 5s
    }
    ready
    kubernetes cluster.local in-addr.arpa ip6.arpa {
       pods insecure
       fallthrough in-addr.arpa ip6.arpa
       ttl 30
    }
    prometheus :9153
    forward . /etc/resolv.conf
    cache 30
    loop
    reload
    loadbalance
}
`;

function coreDns({ clusterConfiguration: { imageRepository } }: InitialisedCluster) {
  // Upstream alone has a folder for it.
  const folder = imageRepository === 'registry.k8s.io' ? `${imageRepository}/coredns` : imageRepository;
  const volume = {
    name: 'config-volume',
    configMap: { name: 'coredns', items: [{ key: 'Corefile', path: 'Corefile' }] },
  };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    ...workload(
      'coredns',
      { 'k8s-app': 'kube-dns' },
      { image: `${folder}/coredns:${coreDnsVersion}`, volumes: [volume] },
    ),
  };
}

function kubeProxy({ clusterConfiguration: { imageRepository }, kubernetesVersion }: InitialisedCluster) {
  return {
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    ...workload(
      'kube-proxy',
      { 'k8s-app': 'kube-proxy' },
      { image: `${imageRepository}/kube-proxy:${kubernetesVersion}`, volumes: [] },
    ),
  };
}

interface Content {
  readonly image: string;
  readonly volumes: readonly unknown[];
}

function workload(name: string, labels: Readonly<Record<string, string>>, { image, volumes }: Content) {
  const template = { metadata: { labels }, spec: { containers: [{ name, image }], volumes } };
  return {
    metadata: { name, namespace: 'kube-system', labels },
    spec: { selector: { matchLabels: labels }, template },
  };
}
