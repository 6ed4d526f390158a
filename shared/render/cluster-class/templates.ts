import { resources } from '../../kubernetes/resources.ts';
import { cloudName } from '../cloud-config.ts';
import type { Json } from '../rendered-object.ts';
import { auditPolicyFile } from './audit-policy.ts';
import { webhookDirectory, webhookFile } from './keystone-auth.ts';
import { kubeProxyCommand, kubeProxyFile } from './kube-proxy.ts';

/** What a template holds before any patch: kind and `spec.template.spec`. */
export interface BaseTemplate {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: Json;
}

/** Filled in by a patch that always applies. */
const placeholder = 'PLACEHOLDER';
const identityRef = { name: placeholder, cloudName };

/** Ports that Kubernetes gives to Services of type NodePort; load balancers that keep the client's address need them open. */
const nodePorts = { portRangeMin: 30000, portRangeMax: 32767 };

/** Commands that every node runs before kubeadm; the file system check's folder would stop kubeadm, which wants an empty one. */
const restartContainerd = 'systemctl daemon-reload && systemctl restart containerd';
const emptyEtcdVolume = 'rm -rf /var/lib/etcd/lost+found';

/** cloud-init's own template for the host's name, not one of the class. */
const nodeName = '{{ local_hostname }}';

const listenEverywhere = { name: 'bind-address', value: '0.0.0.0' };
const externalCloudProvider = { name: 'cloud-provider', value: 'external' };
const noProfiling = { name: 'profiling', value: 'false' };
const nodeRegistration = { name: nodeName, kubeletExtraArgs: [externalCloudProvider] };

/** Renew certificates by replacing machines, this many days before they end (seed §6). */
const certificatesExpiryDays = 21;

export const openStackClusterTemplate: BaseTemplate = {
  apiVersion: resources.openStackClusterTemplate.apiVersion,
  kind: resources.openStackClusterTemplate.kind,
  spec: {
    identityRef,
    managedSecurityGroups: {
      allowAllInClusterTraffic: true,
      allNodesSecurityGroupRules: [nodePortRule('udp'), nodePortRule('tcp')],
    },
  },
};

export const openStackMachineTemplate: BaseTemplate = {
  apiVersion: resources.openStackMachineTemplate.apiVersion,
  kind: resources.openStackMachineTemplate.kind,
  spec: { flavor: placeholder, identityRef, image: { id: '00000000-0000-0000-0000-000000000000' } },
};

export const kubeadmControlPlaneTemplate: BaseTemplate = {
  apiVersion: resources.kubeadmControlPlaneTemplate.apiVersion,
  kind: resources.kubeadmControlPlaneTemplate.kind,
  spec: {
    rollout: { before: { certificatesExpiryDays } },
    kubeadmConfigSpec: {
      format: 'cloud-config',
      clusterConfiguration: {
        apiServer: {
          extraArgs: [noProfiling],
          extraVolumes: [{ name: 'webhooks', hostPath: webhookDirectory, mountPath: webhookDirectory, readOnly: true }],
        },
        controllerManager: { extraArgs: [listenEverywhere, externalCloudProvider, noProfiling] },
        scheduler: { extraArgs: [listenEverywhere, noProfiling] },
        etcd: { local: { extraArgs: [{ name: 'listen-metrics-urls', value: 'http://0.0.0.0:2381' }] } },
      },
      initConfiguration: { nodeRegistration },
      joinConfiguration: { nodeRegistration },
      files: [auditPolicyFile, webhookFile, kubeProxyFile],
      preKubeadmCommands: [emptyEtcdVolume, restartContainerd, kubeProxyCommand],
    },
  },
};

export const kubeadmConfigTemplate: BaseTemplate = {
  apiVersion: resources.kubeadmConfigTemplate.apiVersion,
  kind: resources.kubeadmConfigTemplate.kind,
  spec: { joinConfiguration: { nodeRegistration }, preKubeadmCommands: [restartContainerd] },
};

function nodePortRule(protocol: 'udp' | 'tcp') {
  return {
    name: `Node Port (${protocol.toUpperCase()}, anywhere)`,
    direction: 'ingress',
    etherType: 'IPv4',
    protocol,
    ...nodePorts,
    remoteIPPrefix: '0.0.0.0/0',
  };
}
