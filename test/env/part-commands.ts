import { join } from 'node:path';
import type { ManagerName } from './parts.ts';
import type { RunFolder } from './run-folder.ts';

/** TCP ports on the loopback interface. */
export interface ControlPlanePorts {
  readonly etcd: number;
  readonly etcdPeer: number;
  readonly apiServer: number;
  readonly webhooks: Readonly<Record<ManagerName, number>>;
}

/** Names of the pair that kube-apiserver writes into its `--cert-dir`. */
export const servingCertificate = { certificate: 'apiserver.crt', key: 'apiserver.key' } as const;

/** Namespace in which the managers believe to run. */
export const managerNamespace = 'capi-system';

export function etcdUrl(ports: ControlPlanePorts): string {
  return `http://127.0.0.1:${ports.etcd}`;
}

export function etcdArguments(folder: RunFolder, ports: ControlPlanePorts): string[] {
  const peer = `http://127.0.0.1:${ports.etcdPeer}`;
  return [
    `--data-dir=${join(folder.data, 'etcd')}`,
    `--listen-client-urls=${etcdUrl(ports)}`,
    `--advertise-client-urls=${etcdUrl(ports)}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // What a crash of the machine would lose is thrown away anyhow.
    '--unsafe-no-fsync',
    '--log-level=warn',
  ];
}

/** @param access Arguments by which the API server tells who somebody is and what he may do, beside the administrator. */
export function apiServerArguments(folder: RunFolder, ports: ControlPlanePorts, access: readonly string[]): string[] {
  return [
    `--etcd-servers=${etcdUrl(ports)}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${ports.apiServer}`,
    `--cert-dir=${folder.pki}`,
    `--token-auth-file=${folder.tokens}`,
    `--service-account-key-file=${join(folder.pki, 'sa.pub')}`,
    `--service-account-signing-key-file=${join(folder.pki, 'sa.key')}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    ...access,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    // No controller makes the service accounts that this plugin wants each pod to have.
    '--disable-admission-plugins=ServiceAccount',
    '--allow-privileged',
    // The machine is the limit, not a share of it.
    '--enable-priority-and-fairness=false',
    '--max-requests-inflight=0',
    '--max-mutating-requests-inflight=0',
    '--profiling=false',
    ...auditArguments(folder),
  ];
}

export function controllerManagerArguments(folder: RunFolder): string[] {
  return [
    `--kubeconfig=${folder.kubeconfig}`,
    // Without these two nothing owned and no namespace is ever deleted; all others would need nodes.
    '--controllers=garbage-collector-controller,namespace-controller',
    '--leader-elect=false',
    '--secure-port=0',
    ...clientRate,
  ];
}

export function managerArguments(manager: ManagerName, folder: RunFolder, ports: ControlPlanePorts): string[] {
  return [
    `--kubeconfig=${folder.kubeconfig}`,
    `--feature-gates=${featureGates[manager]}`,
    `--webhook-port=${ports.webhooks[manager]}`,
    `--webhook-cert-dir=${folder.pki}`,
    `--webhook-cert-name=${servingCertificate.certificate}`,
    `--webhook-key-name=${servingCertificate.key}`,
    '--health-addr=0',
    '--diagnostics-address=0',
    '--insecure-diagnostics',
    '--clustercache-client-qps=100',
    '--clustercache-client-burst=200',
    ...clientRate,
  ];
}

/** What a manager's pod would find in its environment. */
export function managerEnvironment(manager: ManagerName): Record<string, string> {
  return { POD_NAMESPACE: managerNamespace, POD_NAME: manager, POD_UID: manager };
}

const clientRate = ['--kube-api-qps=500', '--kube-api-burst=1000'];

const featureGates: Readonly<Record<ManagerName, string>> = {
  'capi-core': 'ClusterTopology=true',
  cabpk: 'ClusterTopology=true,KubeadmBootstrapFormatIgnition=true',
  kcp: 'ClusterTopology=true,KubeadmBootstrapFormatIgnition=true',
};

/** Batches keep the log off the path of a call; the buffer is large, since what overflows it is not counted. */
function auditArguments(folder: RunFolder): string[] {
  return [
    `--audit-policy-file=${folder.auditPolicy}`,
    `--audit-log-path=${folder.auditLog}`,
    '--audit-log-mode=batch',
    '--audit-log-batch-max-wait=500ms',
    '--audit-log-batch-max-size=1000',
    '--audit-log-batch-buffer-size=100000',
    // Megabytes; rotation would hide calls from whoever counts them.
    '--audit-log-maxsize=10000',
  ];
}
