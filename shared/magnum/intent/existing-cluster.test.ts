import { expect, test } from 'vitest';
import { sampleNodegroup, sampleSnapshot } from '../sample-snapshots.ts';
import { toClusterIntent } from '../to-cluster-intent.ts';
import { toNodegroupIntent } from '../to-nodegroup-intent.ts';

const stack_id = 'kube-21d56';

test.each([
  [
    { labels: { calico_tag: 'v3.27.4' } },
    { cni: { tag: 'v3.32.1' } },
    'Label calico_tag: "v3.27.4" is not supported: take one of v3.31.x and v3.32.x; v3.32.1 is used.',
  ],
  [
    { labels: { cilium_hubble_ui_enabled: 'yes please' } },
    { addons: { hubbleUi: false } },
    'Label cilium_hubble_ui_enabled: "yes please" is neither true nor false; false is used.',
  ],
  [
    { labels: { server_group_policies: 'best' } },
    { controlPlane: { serverGroup: { policy: 'soft-anti-affinity' } } },
    'Label server_group_policies: "best" has the item "best", which is not one of affinity, anti-affinity, soft-affinity, soft-anti-affinity; soft-anti-affinity is used.',
  ],
  [
    { labels: { octavia_lb_algorithm: 'SOURCE_IP_PORT' } },
    { loadBalancer: { algorithm: 'SOURCE_IP_PORT' } },
    'Label octavia_lb_algorithm: the provider amphorav2 does not know SOURCE_IP_PORT, only ROUND_ROBIN, LEAST_CONNECTIONS, SOURCE_IP; Octavia will refuse load balancers for Services.',
  ],
  [
    { labels: { fixed_subnet_cidr: '10.100.3.0/24' } },
    { network: { nodeCidr: '10.100.3.0/24' } },
    'Label calico_ipv4pool: 10.100.0.0/16 overlaps 10.100.3.0/24 of fixed_subnet_cidr; the networks stay as they are.',
  ],
  [
    { cluster: { fixed_subnet: 'sub' } },
    { network: { fixedSubnet: null } },
    'Field fixed_subnet of the cluster is set although fixed_network is not; the subnet is not used.',
  ],
  [
    { cluster: { master_count: 3, master_lb_enabled: false } },
    { controlPlane: { replicas: 3 } },
    'Field master_lb_enabled of the cluster: 3 masters need a load balancer in front of the API; the API stays without one.',
  ],
])('%j is refused to a new cluster and noted in an existing one', (changes, intent, note) => {
  expect(toClusterIntent(sampleSnapshot(changes))).toHaveProperty('faults.length', 1);
  const existing = sampleSnapshot({
    ...changes,
    cluster: { ...('cluster' in changes ? changes.cluster : {}), stack_id },
    worker: { status: 'CREATE_COMPLETE' },
  });
  expect(toClusterIntent(existing)).toMatchObject({ intent: { stackId: stack_id, ...intent }, notes: [note] });
});

test('what no cluster can live with is refused to an existing one too', () => {
  const labels = { boot_volume_size: 'big', octavia_provider: 'ovn', octavia_lb_algorithm: 'SOURCE_IP' };
  expect(toClusterIntent(sampleSnapshot({ labels, cluster: { stack_id } }))).toHaveProperty('faults.length', 2);
});

test('an empty stack id is none', () => {
  expect(toClusterIntent(sampleSnapshot({ cluster: { stack_id: '' } }))).toHaveProperty('intent.stackId', null);
});

test('a new nodegroup in an existing cluster has to keep the rules for new ones', () => {
  const snapshot = sampleSnapshot({ cluster: { stack_id } });
  const changes = { name: 'a'.repeat(35), labels: { server_group_policies: 'best' } };
  expect(toNodegroupIntent(snapshot, sampleNodegroup(changes))).toHaveProperty('faults.length', 2);
  const existing = sampleNodegroup({ ...changes, status: 'UPDATE_IN_PROGRESS' });
  expect(toNodegroupIntent(snapshot, existing)).toHaveProperty('notes.length', 2);
});

test('a name that no Kubernetes object can have is refused however old the nodegroup is', () => {
  const nodegroup = sampleNodegroup({ name: 'A'.repeat(35), status: 'UPDATE_IN_PROGRESS' });
  expect(toNodegroupIntent(sampleSnapshot({ cluster: { stack_id } }), nodegroup)).toHaveProperty('faults.length', 1);
});
