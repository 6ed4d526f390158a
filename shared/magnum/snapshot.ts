import * as z from 'zod';

/**
 * A field that only the intent reads. Any JSON passes here: a wrong type becomes a fault that names the field
 * (`toClusterIntent`), and never stands in the way of a delete, status or health request.
 */
function lenient(type: 'boolean' | 'integer' | 'string' | 'object' | 'array', description: string) {
  return z
    .unknown()
    .meta({ type: [type, 'null'], description })
    .optional();
}

/** Text that several functions read; a wrong type counts as missing. */
const looseText = z.string().nullish().catch(null);

const uuid = z
  .string()
  .regex(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, 'is not a UUID in lower case')
  .describe('Names the Lease and the labels of everything that belongs to the cluster.');

/** Empty or a Kubernetes name, since requests to the management cluster carry it in their path. */
const stackId = z
  .string()
  .regex(/^([a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)?$/, 'is not a Kubernetes name')
  .nullish();

const labels = lenient('object', 'Names to values; values are text, but numbers, booleans and null are taken too.');
const dockerVolumeSize = lenient('integer', 'GiB; null and 0 = no such volume.');

/** Magnum's `cluster` row as its `as_dict()` gives it. */
export const clusterSnapshot = z.looseObject({
  uuid,
  name: looseText,
  stack_id: stackId,
  project_id: looseText,
  user_id: looseText,
  status: looseText,
  labels,
  keypair: lenient('string', 'Name of the Nova keypair.'),
  master_count: lenient('integer', 'Odd.'),
  master_flavor_id: lenient('string', 'Name or id.'),
  master_lb_enabled: lenient('boolean', 'Whether a load balancer stands in front of the API.'),
  flavor_id: lenient('string', 'Name or id.'),
  docker_volume_size: dockerVolumeSize,
  fixed_network: lenient('string', 'Name or id.'),
  fixed_subnet: lenient('string', 'Name or id.'),
});

/** Magnum's `cluster_template` row. */
export const clusterTemplateSnapshot = z.looseObject({
  uuid: looseText,
  name: looseText,
  labels,
  cluster_distro: lenient('string', 'Starts with ubuntu, debian, flatcar or rockylinux.'),
  dns_nameserver: lenient('string', 'Addresses, separated by commas.'),
  external_network_id: lenient('string', 'Name or id.'),
  flavor_id: lenient('string', 'Name or id.'),
  http_proxy: lenient('string', 'URL.'),
  https_proxy: lenient('string', 'URL.'),
  image_id: lenient('string', 'Name or id.'),
  master_flavor_id: lenient('string', 'Name or id.'),
  master_lb_enabled: lenient('boolean', 'Whether a load balancer stands in front of the API.'),
  network_driver: lenient('string', 'calico or cilium.'),
  no_proxy: lenient('string', 'Hosts, domains and CIDRs, separated by commas.'),
});

/** Magnum's `nodegroup` row. One that was created through the API has only its own labels. */
export const nodegroupSnapshot = z.looseObject({
  uuid: looseText,
  name: z.string().catch(''),
  role: looseText,
  status: looseText,
  is_default: z.boolean().catch(false).prefault(false),
  labels,
  flavor_id: lenient('string', 'Name or id.'),
  image_id: lenient('string', 'Name or id.'),
  docker_volume_size: dockerVolumeSize,
  node_count: lenient('integer', 'Number of nodes.'),
  min_node_count: lenient('integer', 'Lower limit of the autoscaler.'),
  max_node_count: lenient('integer', 'Upper limit of the autoscaler.'),
  node_labels: lenient('object', 'Labels for the Nodes of the group.'),
  node_taints: lenient('array', 'Taints for the Nodes of the group: key, value, effect.'),
});

/** Options of one group; a wrong type counts as not set, and what is not set has Magnum's default. */
function group<Shape extends z.ZodRawShape>(shape: Shape) {
  const schema = z.looseObject(shape);
  return schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? schema.parse({}));
}

function option<Value extends string | number | boolean>(schema: z.ZodType<Value>, initial: Value) {
  return schema
    .nullish()
    .catch(null)
    .transform((value) => value ?? initial);
}

const text = (initial: string) => option(z.string(), initial);
const flag = (initial: boolean) => option(z.boolean(), initial);
const count = (initial: number) => option(z.int().min(0), initial);

/**
 * The options of Magnum that a driver consumes (seed §9), under their oslo names, with Magnum's defaults; '' = not set.
 * An option that names a file carries the file's content. `default_boot_volume_size` is in GiB (0 = no boot volume),
 * `pre_delete_lb_timeout` in seconds.
 */
export const magnumOptions = group({
  auto_scaling: group({ image_repository: text('registry.k8s.io/autoscaling'), node_selector: text('') }),
  capi_functions: group({ image_rules: text('') }),
  capi_client: group({ endpoint_type: text('publicURL'), ca_file: text(''), insecure: flag(false) }),
  cinder: group({ default_boot_volume_size: count(0), default_boot_volume_type: text('') }),
  cinder_client: group({ region_name: text('') }),
  cluster: group({ pre_delete_lb_timeout: count(60) }),
  drivers: group({ verify_ca: flag(true), openstack_ca_file: text('') }),
  kubernetes: group({ keystone_auth_default_policy: text('') }),
  manila_client: group({
    region_name: text(''),
    endpoint_type: text('publicURL'),
    api_version: text('3'),
    ca_file: text(''),
    insecure: flag(false),
  }),
  nova_client: group({ region_name: text(''), endpoint_type: text('publicURL') }),
});

type ClusterSnapshot = z.output<typeof clusterSnapshot>;
type ClusterTemplateSnapshot = z.output<typeof clusterTemplateSnapshot>;
export type NodegroupSnapshot = z.output<typeof nodegroupSnapshot>;
type MagnumOptions = z.output<typeof magnumOptions>;

/** What every request carries: all that Magnum knows of a cluster. */
export interface MagnumSnapshot {
  readonly cluster: ClusterSnapshot;
  readonly cluster_template: ClusterTemplateSnapshot;
  readonly nodegroups: readonly NodegroupSnapshot[];
  readonly options: MagnumOptions;
}
