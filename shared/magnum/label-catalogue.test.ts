import { expect, test } from 'vitest';
import { labelCatalogue } from './label-catalogue.ts';
import { labelsDocument } from './labels-document.ts';
import { FaultList } from './reading/fault-list.ts';
import { labelReader } from './reading/label-reader.ts';
import { clusterOwner } from './reading/subject.ts';
import { cniKinds, cniReleases, cniTag } from './syntax/cni-release.ts';

function read(name: keyof typeof labelCatalogue, raw: unknown) {
  const faults = new FaultList();
  const labels = labelReader({ labels: { [name]: raw }, owner: clusterOwner, faults, existing: false });
  return faults.outcome(labels.read(name));
}

/** Seed §4.2 and §4.3 with their defaults; null = none or decided elsewhere. */
const seed = {
  kube_tag: null,
  container_infra_prefix: null,
  calico_tag: 'v3.32.1',
  cilium_tag: 'v1.15.3',
  cilium_hubble_ui_enabled: false,
  keystone_auth_enabled: true,
  cloud_provider_tag: null,
  auto_healing_enabled: true,
  auto_scaling_enabled: false,
  min_node_count: null,
  max_node_count: null,
  availability_zone: null,
  control_plane_availability_zones: [],
  server_group_policies: ['soft-anti-affinity'],
  different_failure_domain: false,
  calico_ipv4pool: '10.100.0.0/16',
  cilium_ipv4pool: '10.100.0.0/16',
  service_cluster_ip_range: '10.254.0.0/16',
  fixed_subnet_cidr: '10.0.0.0/24',
  dns_cluster_domain: 'cluster.local',
  master_lb_floating_ip_enabled: true,
  api_server_floating_ip: null,
  octavia_provider: null,
  octavia_lb_algorithm: null,
  octavia_lb_healthcheck: true,
  api_server_lb_flavor: null,
  api_server_lb_availability_zone: null,
  admission_control_list: [],
  api_server_cert_sans: [],
  api_server_tls_cipher_suites: [
    'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
    'TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305',
  ],
  kubelet_tls_cipher_suites: [
    'TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256',
    'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384',
    'TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305',
  ],
  kubelet_serving_cert_verification_enabled: false,
  audit_log_enabled: false,
  audit_log_max_age: 30,
  audit_log_max_backup: 10,
  audit_log_max_size: 100,
  oidc_issuer_url: null,
  oidc_client_id: '',
  oidc_username_claim: 'sub',
  oidc_username_prefix: '-',
  oidc_groups_claim: '',
  oidc_groups_prefix: '',
  boot_volume_size: null,
  boot_volume_type: null,
  boot_volume_availability_zone: null,
  etcd_volume_size: 0,
  etcd_volume_type: null,
  docker_volume_type: null,
  cinder_csi_enabled: true,
  cinder_csi_plugin_tag: 'v1.32.0',
  manila_csi_enabled: true,
  manila_csi_plugin_tag: 'v1.32.0',
  manila_csi_share_network_id: null,
  csi_attacher_tag: 'v4.7.0',
  csi_liveness_probe_tag: 'v2.14.0',
  csi_node_driver_registrar_tag: 'v2.12.0',
  csi_provisioner_tag: 'v5.1.0',
  csi_resizer_tag: 'v1.12.0',
  csi_snapshotter_tag: 'v8.1.0',
} as const;

/** What the original driver has not. */
const own = { cinder_csi_availability_zone: null } as const;

test('the catalogue is the one of the original driver, with its defaults, and a little more', () => {
  const defaults = Object.entries(labelCatalogue).map(([name, label]) => [name, label.default]);
  expect(Object.fromEntries(defaults)).toEqual({ ...seed, ...own });
});

test('a default would be accepted as a value', () => {
  for (const label of Object.values(labelCatalogue)) {
    const text = Array.isArray(label.default) ? label.default.join(',') : String(label.default ?? '');
    if (text !== '') expect(label.parse(text)).toEqual({ value: label.default });
  }
});

test('the document describes every label in one row', () => {
  const rows = labelsDocument()
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  expect(rows).toHaveLength(Object.keys(labelCatalogue).length);
  for (const [name, { meaning }] of Object.entries(labelCatalogue)) {
    expect(rows.find((row) => row.startsWith(`| \`${name}\` |`))).toContain(meaning);
    expect(meaning).toMatch(/^[A-Z].*\.$/);
  }
});

test.each([
  ['kube_tag', '1.34.1', 'v1.34.1'],
  ['kube_tag', ' v1.35.0-rc.1 ', 'v1.35.0-rc.1'],
  ['calico_tag', '3.31.0', 'v3.31.0'],
  ['cilium_tag', 'v1.20.2', 'v1.20.2'],
  ['container_infra_prefix', 'registry.example.org:5000/mirror//', 'registry.example.org:5000/mirror'],
  ['container_infra_prefix', '[2001:db8::1]:5000/k8s', '[2001:db8::1]:5000/k8s'],
  ['auto_healing_enabled', true, true],
  ['auto_healing_enabled', ' Off ', false],
  ['boot_volume_size', ' 10 ', 10],
  ['boot_volume_size', 10, 10],
  ['availability_zone', 'zone ä', 'zone ä'],
  ['control_plane_availability_zones', ' a, b ,,a', ['a', 'b']],
  ['server_group_policies', 'affinity,soft-affinity', ['affinity', 'soft-affinity']],
  ['calico_ipv4pool', 'fd00:100::/56', 'fd00:100::/56'],
  [
    'api_server_cert_sans',
    'K8s.Example.org,*.example.org,192.0.2.7,2001:db8::1',
    ['k8s.example.org', '*.example.org', '192.0.2.7', '2001:db8::1'],
  ],
  ['kubelet_tls_cipher_suites', 'TLS_AES_128_GCM_SHA256', ['TLS_AES_128_GCM_SHA256']],
  ['oidc_username_prefix', '', ''],
] as const)('label %s takes %j', (name, raw, intent) => {
  expect(read(name, raw)).toEqual({ intent, notes: [] });
});

test.each(['', '  ', null, undefined])('a label with the value %j counts as missing', (raw) => {
  expect(read('availability_zone', raw)).toEqual({ intent: null, notes: [] });
  expect(read('etcd_volume_size', raw)).toEqual({ intent: 0, notes: [] });
});

test.each([
  ['kube_tag', 'v1.33', '"v1.33" is not a Kubernetes version such as v1.33.4'],
  ['kube_tag', 'v1.21.14', '"v1.21.14" is too old: Cluster API needs at least v1.22.0'],
  ['calico_tag', 'v3.24.2', '"v3.24.2" is not supported: take one of v3.31.x and v3.32.x'],
  ['cilium_tag', 'latest', '"latest" is not a released version such as v1.15.3'],
  ['cloud_provider_tag', 'v1.33.1 ; rm', '"v1.33.1 ; rm" is not an image tag'],
  [
    'container_infra_prefix',
    'https://registry.example.org',
    'is not a registry path such as registry.example.org/mirror',
  ],
  ['container_infra_prefix', '//', '"//" is not a registry path such as registry.example.org/mirror'],
  ['auto_scaling_enabled', 'enabled', '"enabled" is neither true nor false'],
  ['boot_volume_size', '1e3', '"1e3" is not a whole number of GiB'],
  ['boot_volume_size', '-1', '"-1" is not a whole number of GiB'],
  ['boot_volume_size', 1.5, '"1.5" is not a whole number of GiB'],
  ['boot_volume_size', '2147483648', '"2147483648" is above 2147483647'],
  ['max_node_count', '0', '"0" is below 1'],
  ['server_group_policies', 'affinity,best', 'has the item "best", which is not one of affinity, anti-affinity'],
  ['calico_ipv4pool', '10.100.0.0', '"10.100.0.0" is not a CIDR such as 10.100.0.0/16'],
  ['cilium_ipv4pool', '10.100.0.0/25', '"10.100.0.0/25" needs a prefix between /8 and /24'],
  ['service_cluster_ip_range', '10.0.0.0/8', '"10.0.0.0/8" needs a prefix between /12 and /28'],
  ['fixed_subnet_cidr', 'fd00::/64', '"fd00::/64" is an IPv6 network, which is not possible here'],
  ['fixed_subnet_cidr', '10.0.1.7/23', '"10.0.1.7/23" has bits behind its prefix: the network is 10.0.0.0/23'],
  ['fixed_subnet_cidr', '10.0.0.0/30', '"10.0.0.0/30" needs a prefix between /8 and /29'],
  ['dns_cluster_domain', 'cluster..local', '"cluster..local" is not a DNS name in lower case'],
  ['api_server_floating_ip', '192.0.2.300', '"192.0.2.300" is not an IP address'],
  ['octavia_provider', 'ovn\u{a0}x', 'is not the name of a load balancer provider'],
  ['octavia_lb_algorithm', 'RANDOM', 'is not one of ROUND_ROBIN, LEAST_CONNECTIONS, SOURCE_IP, SOURCE_IP_PORT'],
  ['api_server_cert_sans', 'ok.example.org,a_b', 'has the item "a_b", which is not a DNS name or an IP address'],
  ['admission_control_list', 'AlwaysPullImages,Event RateLimit', 'which is not the name of an admission plugin'],
  ['api_server_tls_cipher_suites', 'TLS_RSA', 'which is no TLS cipher suite that Kubernetes knows'],
  ['oidc_issuer_url', 'http://id.example.org', 'is not a URL that begins with https://'],
  ['availability_zone', 'a,b', 'is not the name of one zone'],
  ['boot_volume_type', 'a\nb', ' has line breaks or control characters'],
  ['boot_volume_type', 'half \ud800', ' has line breaks or control characters'],
  ['boot_volume_type', ['ssd'], ' is a list or an object instead of text'],
] as const)('label %s refuses %j', (name, raw, problem) => {
  expect(read(name, raw)).toEqual({
    faults: [{ code: 'invalid_label', field: `labels.${name}`, message: expect.stringContaining(problem) }],
  });
});

test('a very long value is named, not repeated', () => {
  const outcome = read('boot_volume_size', 'x'.repeat(10_000));
  expect(outcome).toMatchObject({ faults: [{ message: 'Label boot_volume_size is longer than 4096 characters.' }] });
});

test('a message shows the first 60 characters of a value', () => {
  const outcome = read('boot_volume_size', 'x'.repeat(100));
  const message = `Label boot_volume_size: "${'x'.repeat(60)}…" is not a whole number of GiB.`;
  expect(outcome).toMatchObject({ faults: [{ message }] });
});

test.each(cniKinds)('the default release of %s is in a supported line', (kind) => {
  const { defaultTag } = cniReleases[kind];
  expect(cniTag(kind)(defaultTag)).toEqual({ value: defaultTag });
  for (const line of cniReleases[kind].lines) expect(cniTag(kind)(`${line}.99`)).toEqual({ value: `${line}.99` });
});
