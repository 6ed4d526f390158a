import type { EventData } from '../../shared/contract/event-types.ts';
import { isDnsLabel } from '../../shared/magnum/syntax/kubernetes-syntax.ts';
import { clip, quote } from '../../shared/magnum/syntax/quote.ts';
import type { clusterUpgradeType } from './accepted-events.ts';

type UpgradeData = EventData<typeof clusterUpgradeType>;

/** A note names no more than these. */
const mostNames = 10;

/** Fields of a template that say what a cluster is; the row of the cluster has its own value of some, in the second name. */
const fields = [
  ['coe'],
  ['network_driver'],
  ['external_network_id'],
  ['fixed_network', 'fixed_network'],
  ['fixed_subnet', 'fixed_subnet'],
  ['dns_nameserver'],
  ['flavor_id', 'flavor_id'],
  ['master_flavor_id', 'master_flavor_id'],
  ['docker_volume_size', 'docker_volume_size'],
  ['keypair_id', 'keypair'],
  ['master_lb_enabled', 'master_lb_enabled'],
  ['floating_ip_enabled', 'floating_ip_enabled'],
  ['http_proxy'],
  ['https_proxy'],
  ['no_proxy'],
] as const;

/** What the user may expect of the new template or of the call, and what an upgrade does not do (user-reports A5). */
export function templateNotes(data: UpgradeData): string[] {
  return [
    ...ignored('labels', ignoredLabels(data)),
    ...ignored('fields', ignoredFields(data)),
    ...nodegroupNote(data),
    ...batchNote(data),
  ];
}

function ignored(what: string, names: readonly string[]): string[] {
  if (names.length === 0) return [];
  const shown = names.slice(0, mostNames).map((name) => (isPlain(name) ? clip(name) : quote(name)));
  const more = names.length > mostNames ? ` and ${names.length - mostNames} more` : '';
  return [
    `An upgrade takes only kube_tag and image_id of the new template, not its ${what} ${shown.join(', ')}${more}.`,
  ];
}

function isPlain(name: string): boolean {
  return /^[\w.-]+$/.test(name);
}

/** Those that differ from the old template's and from what the cluster has; a label that is gone counts too. */
function ignoredLabels({ new_cluster_template, cluster_template, cluster }: UpgradeData): string[] {
  const [wanted, former, own] = [new_cluster_template, cluster_template, cluster].map(({ labels }) =>
    entriesOf(labels),
  );
  const names = new Set([...(wanted?.keys() ?? []), ...(former?.keys() ?? [])]);
  names.delete('kube_tag');
  return [...names].filter((name) => {
    const value = textOf(wanted?.get(name));
    return value !== textOf(former?.get(name)) && value !== textOf(own?.get(name));
  });
}

function ignoredFields({ new_cluster_template, cluster_template, cluster }: UpgradeData): string[] {
  const [wanted, former, own] = [new_cluster_template, cluster_template, cluster].map(entriesOf);
  return fields.flatMap(([field, ownField]) => {
    const value = textOf(wanted?.get(field));
    const isKept =
      value === textOf(former?.get(field)) || (ownField !== undefined && value === textOf(own?.get(ownField)));
    return isKept ? [] : [field];
  });
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> {
  const isMap = typeof value === 'object' && value !== null && !Array.isArray(value);
  return new Map(isMap ? Object.entries(value) : []);
}

/** Magnum's values as text; missing, null and empty are the same, and so are 1 and "1". */
function textOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The command line names the default worker nodegroup when the user names none. */
function nodegroupNote({ nodegroup }: UpgradeData): string[] {
  if (nodegroup === null || nodegroup === undefined || nodegroup.is_default) return [];
  const name = isDnsLabel(nodegroup.name) ? nodegroup.name : quote(nodegroup.name);
  return [`All nodegroups are upgraded, not only ${name}: a cluster has one version.`];
}

function batchNote({ max_batch_size }: UpgradeData): string[] {
  if (max_batch_size === null || max_batch_size === undefined || max_batch_size <= 1) return [];
  return [`max_batch_size ${max_batch_size} is not used: machines of a nodegroup are replaced one by one.`];
}
