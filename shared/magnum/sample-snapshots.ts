import type * as z from 'zod';
import {
  clusterSnapshot,
  clusterTemplateSnapshot,
  type MagnumSnapshot,
  magnumOptions,
  type NodegroupSnapshot,
  nodegroupSnapshot,
} from './snapshot.ts';

/** Changes to the rows of a sample; labels are merged, other fields replaced. */
interface SampleChanges {
  readonly labels?: Readonly<Record<string, unknown>>;
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly template?: Readonly<Record<string, unknown>>;
  /** To the default worker nodegroup. */
  readonly worker?: Readonly<Record<string, unknown>>;
  /** Nodegroups beside the default ones. */
  readonly more?: readonly NodegroupSnapshot[];
  readonly options?: z.input<typeof magnumOptions>;
}

const imageId = 'ubuntu-2204-kube-v1.33';
const flavorId = 'm1.medium';

/** A worker nodegroup as Magnum sends one that was made through its API: with its own labels only. */
export function sampleNodegroup(changes: Readonly<Record<string, unknown>> = {}): NodegroupSnapshot {
  return nodegroupSnapshot.parse({
    uuid: '1cdbdf7c-cfbe-4a09-90ab-9a0c4d5244e6',
    name: 'gpu',
    role: 'gpu',
    status: 'CREATE_IN_PROGRESS',
    is_default: false,
    flavor_id: flavorId,
    image_id: imageId,
    docker_volume_size: null,
    labels: { availability_zone: 'az2', boot_volume_size: '50' },
    node_count: 2,
    min_node_count: 1,
    max_node_count: 4,
    node_labels: null,
    node_taints: null,
    version: null,
    ...changes,
  });
}

/** What Magnum sends when a small cluster is created: one master, two workers, no label but kube_tag. */
export function sampleSnapshot(changes: SampleChanges = {}): MagnumSnapshot {
  const labels = { kube_tag: 'v1.33.4', ...changes.labels };
  const master = {
    ...sampleNodegroup({ uuid: '2cf4f7c4-aefc-432a-bd94-6d29fb593af3', name: 'default-master', role: 'master' }),
    is_default: true,
    labels,
    node_count: 1,
    min_node_count: 0,
    max_node_count: null,
  };
  const worker = sampleNodegroup({
    uuid: 'aea51ba6-b8c5-486c-8c2d-9a28b3e714d9',
    name: 'default-worker',
    role: 'worker',
    is_default: true,
    labels,
    max_node_count: null,
    ...changes.worker,
  });
  return {
    cluster: clusterSnapshot.parse({
      uuid: '21d56b0e-dd80-41ec-b63e-d6fad0deca84',
      name: 'plain-1',
      stack_id: null,
      project_id: 'be2ec97724bd4f14bd0bcf2458dff078',
      user_id: '80f92926956f4e4dae5909182cc43ad7',
      status: 'CREATE_IN_PROGRESS',
      keypair: 'mykey',
      master_count: 1,
      master_flavor_id: flavorId,
      master_lb_enabled: true,
      flavor_id: flavorId,
      docker_volume_size: null,
      fixed_network: null,
      fixed_subnet: null,
      labels,
      ...changes.cluster,
    }),
    cluster_template: clusterTemplateSnapshot.parse({
      uuid: 'b50ccc0b-8aae-47d8-87c8-5d948ec8dbde',
      name: 'plain',
      cluster_distro: 'ubuntu',
      dns_nameserver: null,
      external_network_id: 'public',
      flavor_id: flavorId,
      http_proxy: null,
      https_proxy: null,
      image_id: imageId,
      labels,
      master_flavor_id: flavorId,
      master_lb_enabled: true,
      network_driver: 'calico',
      no_proxy: null,
      ...changes.template,
    }),
    nodegroups: [master, worker, ...(changes.more ?? [])],
    options: magnumOptions.parse(changes.options),
  };
}

/** A cluster that uses most of what the driver knows: Cilium, three masters, autoscaling, OIDC, volumes, proxy, mirror. */
export function fullSnapshot(): MagnumSnapshot {
  return sampleSnapshot({
    labels: {
      api_server_cert_sans: 'k8s.example.org',
      audit_log_enabled: 'true',
      auto_healing_enabled: 'true',
      auto_scaling_enabled: 'true',
      availability_zone: 'nova',
      boot_volume_size: '20',
      boot_volume_type: 'ssd',
      container_infra_prefix: 'registry.example.org/mirror',
      etcd_volume_size: '10',
      keystone_auth_enabled: 'true',
      master_lb_floating_ip_enabled: 'false',
      max_node_count: '5',
      min_node_count: '1',
      octavia_provider: 'ovn',
      oidc_client_id: 'k8s',
      oidc_issuer_url: 'https://id.example.org',
      server_group_policies: 'anti-affinity',
    },
    cluster: { name: 'full-1', master_count: 3, docker_volume_size: 20 },
    template: {
      network_driver: 'cilium',
      dns_nameserver: '8.8.8.8,1.1.1.1',
      http_proxy: 'http://proxy.example:3128',
      https_proxy: 'http://proxy.example:3128',
      no_proxy: '10.0.0.0/8',
    },
    worker: { node_count: 3, docker_volume_size: 20 },
  });
}
