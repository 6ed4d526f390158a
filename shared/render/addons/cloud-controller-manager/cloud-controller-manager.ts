import type { V1Container, V1DaemonSetSpec } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import type { ClusterIntent, OperatingSystem } from '../../../magnum/cluster-intent.ts';
import type { AddonInput } from '../addon.ts';
import { cloudConfigContent, cloudConfigManifest, workloadCloudConfig } from '../cloud-conf/cloud-config-manifest.ts';
import { daemonSet, type Manifest, podsOf, serviceAccount } from '../manifest.ts';
import { cloudProviderTag, controllerManagerRepository } from './releases.ts';
import { controllerManagerAccount, controllerManagerRoles } from './roles.ts';

const name = 'openstack-cloud-controller-manager';

/**
 * OpenStack's cloud controller manager, as its chart 2.35.0 renders it with the values of magnum-cluster-api (original-facts §5.5),
 * and the Secret with which it and others sign in.
 * @throws RangeError for a value that cloud.conf cannot carry
 */
export function cloudControllerManager(input: AddonInput): readonly Manifest[] {
  const { access, intent } = input;
  return [
    cloudConfigManifest(cloudConfigContent(access, intent.loadBalancer)),
    serviceAccount({ name: controllerManagerAccount }),
    ...controllerManagerRoles(),
    daemonSet({ name }, daemonSetSpec(input)),
  ];
}

/** The selector is immutable: it has the chart's labels under the release name of magnum-cluster-api. */
const labels = { component: 'controllermanager', app: name, release: 'openstack-ccm' };

const cloudConfigVolume = 'cloud-config-volume';

function daemonSetSpec(input: AddonInput): Wire<V1DaemonSetSpec> {
  const folders = hostFolders(input.intent.operatingSystem);
  const cloudConfig = { name: cloudConfigVolume, secret: { secretName: workloadCloudConfig.name } };
  return podsOf(labels, {
    serviceAccountName: controllerManagerAccount,
    hostNetwork: true,
    nodeSelector: { 'node-role.kubernetes.io/control-plane': '' },
    priorityClassName: 'system-node-critical',
    securityContext: { runAsNonRoot: true, runAsUser: 1001, seccompProfile: { type: 'RuntimeDefault' } },
    tolerations,
    containers: [container(input, folders)],
    volumes: [cloudConfig, ...folders.map(({ name, ...hostPath }) => ({ name, hostPath }))],
  });
}

const tolerations = [
  { key: 'node.cloudprovider.kubernetes.io/uninitialized', value: 'true', effect: 'NoSchedule' },
  { key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' },
  // The network of the pods may come later than that of the nodes, which is all it needs.
  { key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule', operator: 'Exists' },
];

function container({ image, intent }: AddonInput, folders: readonly HostFolder[]): Wire<V1Container> {
  return {
    name,
    image: image({ repository: controllerManagerRepository, tag: tagFor(intent) }),
    args: [
      `/bin/${name}`,
      '--v=2',
      '--cloud-config=/etc/config/cloud.conf',
      `--cluster-name=${intent.uuid}`,
      '--cloud-provider=openstack',
      '--use-service-account-credentials=false',
      '--controllers=cloud-node,cloud-node-lifecycle,route,service',
      '--bind-address=127.0.0.1',
    ],
    livenessProbe,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
    },
    volumeMounts: [
      { name: cloudConfigVolume, mountPath: '/etc/config', readOnly: true },
      ...folders.map((folder) => ({ name: folder.name, mountPath: folder.path, readOnly: true })),
    ],
  };
}

/** With the patience that kubeadm has with kube-controller-manager: a slow Keystone holds up the start. */
const livenessProbe = {
  httpGet: { host: '127.0.0.1', path: '/healthz', port: 10258, scheme: 'HTTPS' },
  initialDelaySeconds: 30,
  timeoutSeconds: 15,
  failureThreshold: 8,
};

function tagFor({ addons, kubernetesVersion }: ClusterIntent): string {
  return addons.cloudProviderTag ?? cloudProviderTag(kubernetesVersion);
}

interface HostFolder {
  readonly name: string;
  readonly path: string;
  readonly type: 'Directory' | 'DirectoryOrCreate';
}

/** Where the links in `/etc/ssl/certs` lead: without it they end nowhere in the container, and no authority is trusted. */
const linkedAuthorities: Readonly<Partial<Record<OperatingSystem, string>>> = {
  rockylinux: '/etc/pki/ca-trust',
  flatcar: '/usr/share/ca-certificates',
};

function hostFolders(operatingSystem: OperatingSystem): readonly HostFolder[] {
  const folders: readonly HostFolder[] = [
    { name: 'k8s-certs', path: '/etc/kubernetes/pki', type: 'Directory' },
    { name: 'ca-certs', path: '/etc/ssl/certs', type: 'DirectoryOrCreate' },
  ];
  const path = linkedAuthorities[operatingSystem];
  return path === undefined ? folders : [...folders, { name: 'linked-ca-certs', path, type: 'Directory' }];
}
