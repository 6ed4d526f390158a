import * as z from 'zod';
import { eventData, readCarriedEvent } from '../../shared/event/carried-event.ts';

/** What files say of one request to a function. */
export interface RequestFile {
  /** Attributes of the event; null where the files hold its data alone. */
  readonly attributes: Readonly<Record<string, string>> | null;
  readonly data: Readonly<Record<string, unknown>>;
  /** What was taken for granted, one sentence each. */
  readonly notes: readonly string[];
}

const object = z.record(z.string(), z.unknown());

/**
 * Puts together what files hold: one CloudEvent in the JSON event format, the data of one, or rows as Magnum's API gives them: a
 * cluster, its template, its nodegroups, each in a file of its own or all in one.
 * @throws Error in one sentence that says what is missing
 */
export function requestOf(documents: readonly unknown[]): RequestFile {
  const [first] = documents;
  const event = object.safeParse(first).data;
  if (documents.length === 1 && event?.['specversion'] !== undefined) return eventRequest(event);
  const parts = documents.map(partsOf);
  return { attributes: null, ...complete(Object.assign({}, ...parts)) };
}

function eventRequest(document: Readonly<Record<string, unknown>>): RequestFile {
  const event = readCarriedEvent({
    rawHeaders: ['content-type', 'application/cloudevents+json'],
    body: Buffer.from(JSON.stringify(document)),
  });
  const data = object.safeParse(eventData(event));
  return { attributes: event.attributes, data: data.data ?? {}, notes: [] };
}

/** What a document is: the data of an event, or one row or list of Magnum's. */
function partsOf(document: unknown): Readonly<Record<string, unknown>> {
  if (Array.isArray(document)) return { nodegroups: document };
  const given = object.safeParse(document).data ?? {};
  if ('cluster' in given) return { ...given, ...unwrapped(given['nodegroups']) };
  if (Array.isArray(given['nodegroups'])) return { nodegroups: given['nodegroups'] };
  if ('cluster_template_id' in given) return { cluster: given };
  if ('coe' in given) return { cluster_template: given };
  throw new Error(
    'A file is neither a CloudEvent nor the data of one, nor a cluster, cluster template or nodegroups of Magnum.',
  );
}

/** Magnum's API answers a list as `{nodegroups: […]}`. */
function unwrapped(value: unknown): Readonly<Record<string, unknown>> {
  const list = z.object({ nodegroups: z.array(z.unknown()) }).safeParse(value);
  return list.success ? { nodegroups: list.data.nodegroups } : {};
}

function complete(data: Readonly<Record<string, unknown>>): Pick<RequestFile, 'data' | 'notes'> {
  const cluster = object.safeParse(data['cluster']).data;
  const template = object.safeParse(data['cluster_template']).data;
  if (cluster === undefined) throw new Error('The cluster is missing: what Magnum says of it, as JSON.');
  if (template === undefined) throw new Error('The cluster_template is missing: what Magnum says of it, as JSON.');
  if (Array.isArray(data['nodegroups'])) return { data, notes: [] };
  return {
    data: { ...data, nodegroups: defaultNodegroups(cluster, template) },
    notes: ["No nodegroups are given: the cluster's own default-master and default-worker are taken."],
  };
}

/** As Magnum makes them with a cluster (magnum/api/controllers/v1/cluster.py). */
function defaultNodegroups(
  cluster: Readonly<Record<string, unknown>>,
  template: Readonly<Record<string, unknown>>,
): readonly object[] {
  const { labels, docker_volume_size } = cluster;
  const shared = { is_default: true, image_id: template['image_id'], labels, docker_volume_size };
  return [
    {
      ...shared,
      name: 'default-master',
      role: 'master',
      flavor_id: cluster['master_flavor_id'] ?? template['master_flavor_id'],
      node_count: cluster['master_count'] ?? 1,
    },
    {
      ...shared,
      name: 'default-worker',
      role: 'worker',
      flavor_id: cluster['flavor_id'] ?? template['flavor_id'],
      node_count: cluster['node_count'] ?? 1,
    },
  ];
}
