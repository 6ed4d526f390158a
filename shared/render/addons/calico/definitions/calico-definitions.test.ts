import { expect, test } from 'vitest';
import type { Schema } from '../../custom-resources/schema.ts';
import type { CalicoLine } from '../releases.ts';
import { calicoDefinitions } from './calico-definitions.ts';

// Facts: projectcalico/calico, manifests/calico.yaml of v3.31.7 and v3.32.1. What the rules mean is tried on a real API
// server, in test/addons/calico-definitions.test.ts.

interface Version {
  readonly name: string;
  readonly schema: { readonly openAPIV3Schema: Schema };
}

function definitionsOf(line: CalicoLine) {
  return calicoDefinitions(line).map(({ metadata, spec }) => {
    const { versions, ...rest } = spec as unknown as { versions: Version[]; scope: string; names: object };
    const [version] = versions;
    const { schema, ...settings } = version!;
    return { ...metadata, ...rest, root: schema.openAPIV3Schema, settings };
  });
}

const common = [
  'bgpconfigurations.crd.projectcalico.org Cluster',
  'bgpfilters.crd.projectcalico.org Cluster',
  'bgppeers.crd.projectcalico.org Cluster',
  'blockaffinities.crd.projectcalico.org Cluster',
  'caliconodestatuses.crd.projectcalico.org Cluster',
  'clusterinformations.crd.projectcalico.org Cluster',
  'felixconfigurations.crd.projectcalico.org Cluster',
  'globalnetworkpolicies.crd.projectcalico.org Cluster',
  'globalnetworksets.crd.projectcalico.org Cluster',
  'hostendpoints.crd.projectcalico.org Cluster',
  'ipamblocks.crd.projectcalico.org Cluster',
  'ipamconfigs.crd.projectcalico.org Cluster',
  'ipamhandles.crd.projectcalico.org Cluster',
  'ippools.crd.projectcalico.org Cluster',
  'ipreservations.crd.projectcalico.org Cluster',
  'kubecontrollersconfigurations.crd.projectcalico.org Cluster',
  'networkpolicies.crd.projectcalico.org Namespaced',
  'networksets.crd.projectcalico.org Namespaced',
  'stagedglobalnetworkpolicies.crd.projectcalico.org Cluster',
  'stagedkubernetesnetworkpolicies.crd.projectcalico.org Namespaced',
  'stagednetworkpolicies.crd.projectcalico.org Namespaced',
  'tiers.crd.projectcalico.org Cluster',
];

test.each<[line: CalicoLine, others: string[]]>([
  [
    'v3.31',
    [
      'adminnetworkpolicies.policy.networking.k8s.io Cluster',
      'baselineadminnetworkpolicies.policy.networking.k8s.io Cluster',
    ],
  ],
  ['v3.32', ['clusternetworkpolicies.policy.networking.k8s.io Cluster']],
])('%s defines these kinds', (line, others) => {
  const names = definitionsOf(line).map(({ name, scope }) => `${name} ${scope}`);
  expect(names.toSorted()).toEqual([...common, ...others].toSorted());
});

const review = 'https://github.com/kubernetes-sigs/network-policy-api/pull';
const age = '.metadata.creationTimestamp date Age';
const priority = '.spec.priority string Priority';

test.each<[line: CalicoLine, name: string, facts: object]>([
  [
    'v3.32',
    'ippools.crd.projectcalico.org',
    { kind: 'IPPool', version: 'v1', shortNames: undefined, annotations: undefined, status: false, columns: [] },
  ],
  ['v3.31', 'kubecontrollersconfigurations.crd.projectcalico.org', { version: 'v1', status: false }],
  ['v3.32', 'kubecontrollersconfigurations.crd.projectcalico.org', { version: 'v1', status: true }],
  ['v3.32', 'caliconodestatuses.crd.projectcalico.org', { kind: 'CalicoNodeStatus', status: false }],
  [
    'v3.31',
    'adminnetworkpolicies.policy.networking.k8s.io',
    {
      kind: 'AdminNetworkPolicy',
      version: 'v1alpha1',
      shortNames: ['anp'],
      annotations: [`${review}/30`, 'v0.1.1', 'experimental'],
      status: true,
      columns: [priority, age],
    },
  ],
  [
    'v3.31',
    'baselineadminnetworkpolicies.policy.networking.k8s.io',
    {
      kind: 'BaselineAdminNetworkPolicy',
      version: 'v1alpha1',
      shortNames: ['banp'],
      annotations: [`${review}/30`, 'v0.1.1', 'experimental'],
      status: true,
      columns: [age],
    },
  ],
  [
    'v3.32',
    'clusternetworkpolicies.policy.networking.k8s.io',
    {
      kind: 'ClusterNetworkPolicy',
      version: 'v1alpha2',
      shortNames: ['cnp'],
      annotations: [`${review}/347`, 'v0.2.0', 'standard'],
      status: true,
      columns: ['.spec.tier string Tier', priority, age],
    },
  ],
])('in %s, %s is described like this', (line, name, facts) => {
  const definition = definitionsOf(line).find((each) => each.name === name)!;
  const { annotations, names, settings } = definition;
  const { kind, shortNames } = names as { kind: string; shortNames?: string[] };
  const { name: version, subresources, additionalPrinterColumns = [] } = settings as unknown as Settings;
  const prefix = 'policy.networking.k8s.io';
  const values = [
    annotations?.['api-approved.kubernetes.io'],
    annotations?.[`${prefix}/bundle-version`],
    annotations?.[`${prefix}/channel`],
  ];
  expect({
    kind,
    version,
    shortNames,
    annotations: annotations === undefined ? undefined : values,
    status: subresources?.status !== undefined,
    columns: additionalPrinterColumns.map((column) => `${column.jsonPath} ${column.type} ${column.name}`),
  }).toMatchObject(facts);
});

interface Settings {
  readonly name: string;
  readonly subresources?: { readonly status: object };
  readonly additionalPrinterColumns?: { readonly jsonPath: string; readonly type: string; readonly name: string }[];
}

type Visit = (path: string, schema: Schema) => void;

function walk(schema: Schema, visit: Visit, path = ''): void {
  visit(path, schema);
  for (const [name, child] of Object.entries((schema['properties'] ?? {}) as Record<string, Schema>)) {
    walk(child, visit, `${path}.${name}`);
  }
  if (schema['items'] !== undefined) walk(schema['items'] as Schema, visit, `${path}[]`);
}

function facts(line: CalicoLine, read: (schema: Schema) => string | undefined): string[] {
  return definitionsOf(line).flatMap(({ name, root }) => {
    const found: string[] = [];
    walk(root, (path, schema) => {
      const text = read(schema);
      if (text !== undefined) found.push(`${name.split('.')[0]}${path} ${text}`);
    });
    return found;
  });
}

const passwordName = '.secretKeyRef.name ""';
const oldDefaults = [
  `bgpconfigurations.spec.nodeMeshPassword${passwordName}`,
  'bgpconfigurations.spec.serviceLoadBalancerAggregation "Enabled"',
  `bgppeers.spec.password${passwordName}`,
  'ipamblocks.spec.sequenceNumber 0',
  'kubecontrollersconfigurations.spec.controllers.loadBalancer.assignIPs "AllServices"',
  'kubecontrollersconfigurations.status.runningConfig.controllers.loadBalancer.assignIPs "AllServices"',
];

const policyPorts = ['adminnetworkpolicies', 'baselineadminnetworkpolicies'].flatMap((kind) =>
  ['egress', 'ingress'].flatMap((direction) =>
    ['portNumber', 'portRange'].map((port) => `${kind}.spec.${direction}[].ports[].${port}.protocol "TCP"`),
  ),
);

const newDefaults = [
  ...oldDefaults,
  'bgpconfigurations.spec.logSeverityScreen "Info"',
  'felixconfigurations.spec.nftablesMode "Auto"',
  'globalnetworkpolicies.spec.tier "default"',
  'ippools.spec.assignmentMode "Automatic"',
  'kubecontrollersconfigurations.spec.controllers.policyMigration.enabled "Enabled"',
  'kubecontrollersconfigurations.spec.healthChecks "Enabled"',
  'kubecontrollersconfigurations.status.runningConfig.controllers.policyMigration.enabled "Enabled"',
  'kubecontrollersconfigurations.status.runningConfig.healthChecks "Enabled"',
  'networkpolicies.spec.tier "default"',
  'stagedglobalnetworkpolicies.spec.stagedAction "Set"',
  'stagedglobalnetworkpolicies.spec.tier "default"',
  'stagedkubernetesnetworkpolicies.spec.stagedAction "Set"',
  'stagednetworkpolicies.spec.stagedAction "Set"',
  'stagednetworkpolicies.spec.tier "default"',
  'tiers.spec.defaultAction "Deny"',
];

test.each<[line: CalicoLine, defaults: string[]]>([
  ['v3.31', [...oldDefaults, ...policyPorts]],
  ['v3.32', newDefaults],
])('defaults of %s', (line, defaults) => {
  const found = facts(line, (schema) => ('default' in schema ? JSON.stringify(schema['default']) : undefined));
  expect(found.toSorted()).toEqual(defaults.toSorted());
});

const directions = ['egress', 'ingress'];
const policies = ['globalnetworkpolicies', 'networkpolicies', 'stagedglobalnetworkpolicies', 'stagednetworkpolicies'];
const policyRules = policies.flatMap((kind) =>
  directions.flatMap((direction) => {
    const rule = `${kind}.spec.${direction}[]`;
    return [`${rule} 3`, `${rule}.icmp 1`, `${rule}.notICMP 1`];
  }),
);

/** How many rules stand where. Upstream has one more, isCIDR() for networks of ClusterNetworkPolicies; see there. */
test.each<[line: CalicoLine, rules: string[]]>([
  [
    'v3.31',
    [
      'adminnetworkpolicies.spec.egress[] 1',
      'adminnetworkpolicies.spec.egress[].to[].networks[] 1',
      'baselineadminnetworkpolicies 1',
      'baselineadminnetworkpolicies.spec.egress[] 1',
      'baselineadminnetworkpolicies.spec.egress[].to[].networks[] 1',
    ],
  ],
  [
    'v3.32',
    [
      'bgpconfigurations.spec 2',
      ...['exportV4', 'exportV6', 'importV4', 'importV6'].map((name) => `bgpfilters.spec.${name}[] 3`),
      'bgppeers.spec 6',
      'felixconfigurations 1',
      'felixconfigurations.spec 1',
      'globalnetworkpolicies.spec 4',
      'hostendpoints.spec 2',
      'ippools.spec 4',
      'ippools.spec.blockSize 1',
      'ippools.spec.cidr 1',
      'stagedglobalnetworkpolicies.spec 4',
      'tiers 3',
      ...policyRules,
      ...directions.flatMap((direction) =>
        ['sctp', 'tcp', 'udp'].map(
          (protocol) => `clusternetworkpolicies.spec.${direction}[].protocols[].${protocol}.destinationPort.range 1`,
        ),
      ),
    ],
  ],
])('rules of %s', (line, rules) => {
  const found = facts(line, (schema) => {
    const checks = schema['x-kubernetes-validations'];
    return Array.isArray(checks) ? String(checks.length) : undefined;
  });
  expect(found.toSorted()).toEqual(rules.toSorted());
});

test('whatever a schema does not name passes', () => {
  for (const { root } of definitionsOf('v3.32')) {
    walk(root, (_, schema) => {
      if (schema['type'] === 'object') expect(schema['x-kubernetes-preserve-unknown-fields']).toBe(true);
    });
  }
});
