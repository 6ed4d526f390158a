import { expect, test } from 'vitest';
import { sampleSnapshot } from '../sample-snapshots.ts';
import type { MagnumSnapshot } from '../snapshot.ts';
import { toClusterIntent } from '../to-cluster-intent.ts';

function messages(snapshot: MagnumSnapshot): readonly string[] {
  const outcome = toClusterIntent(snapshot);
  return 'faults' in outcome ? outcome.faults.map(({ message }) => message) : [];
}

test('without kube_tag the hint names the version that the template had', () => {
  const snapshot = sampleSnapshot({ cluster: { labels: { audit_log_enabled: 'true' } } });
  expect(toClusterIntent(snapshot)).toEqual({
    faults: [
      {
        code: 'invalid_label',
        field: 'labels.kube_tag',
        message: 'Label kube_tag is missing.',
        hint: 'The cluster template has v1.33.4: create the cluster with --merge-labels, or give it the label kube_tag too.',
      },
    ],
  });
});

test.each([{ kube_tag: '' }, null, 'x', 7])('without kube_tag anywhere the hint says where it belongs', (labels) => {
  const snapshot = sampleSnapshot({ labels: { kube_tag: null }, template: { labels } });
  expect(toClusterIntent(snapshot)).toMatchObject({
    faults: [{ hint: 'Give the cluster or its template the label kube_tag, e.g. kube_tag=v1.33.4.' }],
  });
});

test.each([
  ['ubuntu', 'ubuntu'],
  ['ubuntu-focal', 'ubuntu'],
  ['debian-13', 'debian'],
  ['flatcar', 'flatcar'],
  ['rockylinux9', 'rockylinux'],
])('cluster_distro %s is %s', (cluster_distro, operatingSystem) => {
  expect(toClusterIntent(sampleSnapshot({ template: { cluster_distro } }))).toMatchObject({
    intent: { operatingSystem },
  });
});

test.each([
  [
    { template: { cluster_distro: 'fedora-coreos' } },
    'Field cluster_distro of the cluster template: "fedora-coreos" begins with none of ubuntu, debian, rockylinux, flatcar.',
  ],
  [{ template: { cluster_distro: null } }, 'Field cluster_distro of the cluster template is missing.'],
  [{ template: { network_driver: null } }, 'Field network_driver of the cluster template is missing.'],
  [
    { template: { dns_nameserver: '8.8.8.8,dns' } },
    'Field dns_nameserver of the cluster template: "8.8.8.8,dns" has the item "dns", which is not an IP address.',
  ],
  [
    { template: { dns_nameserver: 'fe80::1%eth0' } },
    'Field dns_nameserver of the cluster template: "fe80::1%eth0" has the item "fe80::1%eth0", which is not an IP address.',
  ],
  [{ cluster: { project_id: 7 } }, 'Field project_id of the cluster is missing.'],
  [{ cluster: { master_count: 0 } }, 'Field master_count of the cluster: "0" is not an odd number of masters.'],
  [{ cluster: { master_count: -3 } }, 'Field master_count of the cluster: "-3" is not a whole number.'],
  [
    { cluster: { master_count: { a: 1 } } },
    'Field master_count of the cluster is a list or an object instead of text.',
  ],
  [
    { cluster: { master_count: 3, master_lb_enabled: false } },
    'Field master_lb_enabled of the cluster: 3 masters need a load balancer in front of the API.',
  ],
  [{ cluster: { fixed_subnet: 'sub' } }, 'Field fixed_subnet of the cluster is set although fixed_network is not.'],
  [
    { cluster: { docker_volume_size: '10GB' } },
    'Field docker_volume_size of the cluster: "10GB" is not a whole number of GiB.',
  ],
  [{ cluster: { labels: ['kube_tag'] } }, 'Field labels of the cluster holds no labels.'],
  [
    { labels: { fixed_subnet_cidr: '10.100.3.0/24' } },
    'Label calico_ipv4pool: 10.100.0.0/16 overlaps 10.100.3.0/24 of fixed_subnet_cidr.',
  ],
  [
    { labels: { service_cluster_ip_range: '10.96.0.0/12' } },
    'Label calico_ipv4pool: 10.100.0.0/16 overlaps 10.96.0.0/12 of service_cluster_ip_range.',
  ],
  [
    { labels: { octavia_provider: 'ovn', octavia_lb_algorithm: 'ROUND_ROBIN' } },
    'Label octavia_lb_algorithm: the provider ovn does not know ROUND_ROBIN, only SOURCE_IP_PORT.',
  ],
  [
    { labels: { octavia_lb_algorithm: 'SOURCE_IP_PORT' } },
    'Label octavia_lb_algorithm: the provider amphorav2 does not know SOURCE_IP_PORT, only ROUND_ROBIN, LEAST_CONNECTIONS, SOURCE_IP.',
  ],
  [
    { labels: { oidc_issuer_url: 'https://id.example.org' } },
    'Label oidc_client_id is missing although oidc_issuer_url is set.',
  ],
  [
    { labels: { admission_control_list: 'PodSecurityPolicy' } },
    'Label admission_control_list: Kubernetes v1.25 and later have no PodSecurityPolicy.',
  ],
])('%j is refused', (changes, message) => {
  expect(messages(sampleSnapshot(changes))).toContain(message);
});

test.each([
  [{ master_count: 1, master_lb_enabled: false }],
  [{ fixed_network: 'net', fixed_subnet: 'sub' }],
  [{ fixed_network: 'net' }],
])('a cluster with %j is possible', (cluster) => {
  expect(messages(sampleSnapshot({ cluster }))).toEqual([]);
});

test('with a network of the user the label fixed_subnet_cidr names no network', () => {
  const labels = { fixed_subnet_cidr: '10.100.3.0/24' };
  expect(messages(sampleSnapshot({ labels, cluster: { fixed_network: 'net' } }))).toEqual([]);
});

test('only the pod network of the cluster driver counts', () => {
  const labels = { cilium_ipv4pool: '10.0.0.0/16', calico_tag: 'none' };
  expect(messages(sampleSnapshot({ labels: { cilium_ipv4pool: '10.0.0.0/16' } }))).toEqual([]);
  expect(messages(sampleSnapshot({ labels, template: { network_driver: 'cilium' } }))).toEqual([
    'Label cilium_ipv4pool: 10.0.0.0/16 overlaps 10.0.0.0/24 of fixed_subnet_cidr.',
  ]);
});

test.each([
  [{}, { provider: 'amphorav2', algorithm: 'ROUND_ROBIN', healthMonitor: true }, null],
  [{ octavia_provider: 'ovn' }, { provider: 'ovn', algorithm: 'SOURCE_IP_PORT', healthMonitor: true }, 'ovn'],
  [
    { octavia_provider: 'f5', octavia_lb_algorithm: 'SOURCE_IP_PORT' },
    { provider: 'f5', algorithm: 'SOURCE_IP_PORT' },
    'f5',
  ],
  [
    { octavia_provider: 'amphora', octavia_lb_algorithm: 'SOURCE_IP' },
    { provider: 'amphora', algorithm: 'SOURCE_IP' },
    'amphora',
  ],
])('%j gives the load balancers %j', (labels, loadBalancer, provider) => {
  expect(toClusterIntent(sampleSnapshot({ labels }))).toMatchObject({
    intent: { loadBalancer, apiServer: { loadBalancer: { provider } } },
  });
});

test('NodeRestriction is always the first admission plugin, and no plugin is listed twice', () => {
  const labels = { admission_control_list: 'AlwaysPullImages, NodeRestriction ,AlwaysPullImages' };
  expect(toClusterIntent(sampleSnapshot({ labels }))).toMatchObject({
    intent: { apiServer: { admissionPlugins: ['NodeRestriction', 'AlwaysPullImages'] } },
  });
});

test('a plugin that was removed later is possible in an older release', () => {
  const labels = { kube_tag: 'v1.24.0', admission_control_list: 'PodSecurityPolicy' };
  expect(messages(sampleSnapshot({ labels }))).toEqual([expect.stringMatching(/^Label kube_tag: /)]);
});

test.each([
  ['v1.29.15', 1],
  ['v1.30.0', 0],
  ['v1.36.9', 0],
  ['v1.37.0', 1],
])('Kubernetes %s has %i faults: the add-ons support v1.30 to v1.36', (version, count) => {
  const faults = messages(sampleSnapshot({ labels: { kube_tag: version } }));
  expect(faults).toHaveLength(count);
  for (const fault of faults) expect(fault).toContain(`v1.30 to v1.36, not ${version}`);
});

test('labels come before options, and options before nothing', () => {
  const options = { cinder: { default_boot_volume_size: 30, default_boot_volume_type: 'hdd' } };
  expect(toClusterIntent(sampleSnapshot({ options }))).toMatchObject({
    intent: { bootVolume: { size: 30, type: 'hdd' }, workers: [{ bootVolume: { size: 30, type: 'hdd' } }] },
  });
  const labels = { boot_volume_size: '0', boot_volume_type: 'ssd' };
  expect(toClusterIntent(sampleSnapshot({ options, labels }))).toMatchObject({
    intent: { bootVolume: { size: 0, type: 'ssd' } },
  });
});

test('a docker volume of 0 GiB is no volume', () => {
  const snapshot = sampleSnapshot({ cluster: { docker_volume_size: 20 }, worker: { docker_volume_size: 0 } });
  expect(toClusterIntent(snapshot)).toMatchObject({
    intent: { dockerVolume: { size: 20 }, workers: [{ dockerVolume: { size: 0 } }] },
  });
});

test('a proxy with a password never appears in a message', () => {
  const template = {
    http_proxy: 'http://user:secret@proxy "x"',
    https_proxy: 'http://user:secret@\nproxy',
    no_proxy: 'a"',
  };
  expect(messages(sampleSnapshot({ template }))).toEqual([
    'Field http_proxy of the cluster template has blanks, quotes or backslashes.',
    'Field https_proxy of the cluster template has line breaks or control characters.',
    'Field no_proxy of the cluster template: "a\\"" has quotes or backslashes.',
  ]);
});
