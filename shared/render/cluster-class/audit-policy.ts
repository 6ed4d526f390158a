import { type NodeFile, nodeFile } from './node-file.ts';

/** Level of a rule in an audit policy (audit.k8s.io/v1). */
type Level = 'None' | 'Metadata' | 'Request' | 'RequestResponse';

interface GroupResources {
  readonly group: string;
  readonly resources?: readonly string[];
}

interface Rule {
  readonly level: Level;
  readonly users?: readonly string[];
  readonly userGroups?: readonly string[];
  readonly verbs?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly resources?: readonly GroupResources[];
  readonly nonResourceURLs?: readonly string[];
  readonly omitStages?: readonly string[];
}

const core = '';
const nodeStatus = { group: core, resources: ['nodes', 'nodes/status'] };
const reportedStatus = { group: core, resources: ['nodes/status', 'pods/status'] };
const endpoints = { group: core, resources: ['endpoints'] };
const controllers = [
  'system:kube-controller-manager',
  'system:kube-scheduler',
  'system:serviceaccount:kube-system:endpoint-controller',
];

/** API groups whose requests are recorded with their bodies. */
const knownGroups = [
  core,
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'apps',
  'authentication.k8s.io',
  'authorization.k8s.io',
  'autoscaling',
  'batch',
  'certificates.k8s.io',
  'extensions',
  'metrics.k8s.io',
  'networking.k8s.io',
  'node.k8s.io',
  'policy',
  'rbac.authorization.k8s.io',
  'scheduling.k8s.io',
  'storage.k8s.io',
].map((group) => ({ group }));

/** What is frequent and harmless: never recorded. */
const silent: readonly Omit<Rule, 'level'>[] = [
  {
    users: ['system:kube-proxy'],
    verbs: ['watch'],
    resources: [{ group: core, resources: ['endpoints', 'services', 'services/status'] }],
  },
  {
    users: ['system:unsecured'],
    namespaces: ['kube-system'],
    verbs: ['get'],
    resources: [{ group: core, resources: ['configmaps'] }],
  },
  { users: ['kubelet'], verbs: ['get'], resources: [nodeStatus] },
  { userGroups: ['system:nodes'], verbs: ['get'], resources: [nodeStatus] },
  { users: controllers, verbs: ['get', 'update'], namespaces: ['kube-system'], resources: [endpoints] },
  {
    users: ['system:apiserver'],
    verbs: ['get'],
    resources: [{ group: core, resources: ['namespaces', 'namespaces/status', 'namespaces/finalize'] }],
  },
  {
    users: ['cluster-autoscaler'],
    verbs: ['get', 'update'],
    namespaces: ['kube-system'],
    resources: [{ group: core, resources: ['configmaps', 'endpoints'] }],
  },
  { users: ['system:kube-controller-manager'], verbs: ['get', 'list'], resources: [{ group: 'metrics.k8s.io' }] },
  { nonResourceURLs: ['/healthz*', '/version', '/swagger*'] },
  { resources: [{ group: core, resources: ['events'] }] },
];

/** What is recorded, once a request is answered. Bodies that may hold secrets are left out. */
const recorded: readonly Rule[] = [
  {
    level: 'Request',
    users: ['kubelet', 'system:node-problem-detector', 'system:serviceaccount:kube-system:node-problem-detector'],
    verbs: ['update', 'patch'],
    resources: [reportedStatus],
  },
  { level: 'Request', userGroups: ['system:nodes'], verbs: ['update', 'patch'], resources: [reportedStatus] },
  {
    level: 'Request',
    users: ['system:serviceaccount:kube-system:namespace-controller'],
    verbs: ['deletecollection'],
  },
  {
    level: 'Metadata',
    resources: [
      { group: core, resources: ['secrets', 'configmaps', 'serviceaccounts/token'] },
      { group: 'authentication.k8s.io', resources: ['tokenreviews'] },
    ],
  },
  { level: 'Request', verbs: ['get', 'list', 'watch'], resources: knownGroups },
  { level: 'RequestResponse', resources: knownGroups },
  { level: 'Metadata' },
];

/** The API server's audit policy (original-facts §1.6); the first rule that fits a request decides. */
const auditPolicy = {
  apiVersion: 'audit.k8s.io/v1',
  kind: 'Policy',
  rules: [
    ...silent.map((rule) => ({ level: 'None', ...rule })),
    ...recorded.map((rule) => ({ ...rule, omitStages: ['RequestReceived'] })),
  ],
};

/** On every control plane node, whether or not auditing is on; only root reads it. JSON is YAML. */
export const auditPolicyFile: NodeFile = nodeFile(
  '/etc/kubernetes/audit-policy/apiserver-audit-policy.yaml',
  '0600',
  JSON.stringify(auditPolicy),
);
