import type { Fault } from '../../shared/contract/errors.ts';
import type { EventData } from '../../shared/contract/event-types.ts';
import { clusterCreate } from '../../shared/contract/requests.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import type { RequestFile } from '../event/request-file.ts';
import { schemaFaults } from '../event/schema-faults.ts';

export const createType = 'org.openstack.magnum.cluster.create.v1';

/** A request to create a cluster as the function would take it. */
export interface CreateRequest {
  readonly id: string;
  /** RFC 3339. */
  readonly time: string;
  readonly data: EventData<typeof createType>;
}

interface ReadRequest {
  readonly request: CreateRequest;
  readonly notes: readonly string[];
}

/** Stands for what must never be in a file, as a certificate, a key, a token, and for what no file says. */
const placeholder = 'placeholder';
const pair = { certificate: placeholder, private_key: placeholder };
const certificates = { ca: pair, etcd: pair, front_proxy: pair, sa: pair };

/** Completes what a file may leave out, and checks it as the function does. @throws Error where it is no create at all */
export function readCreateRequest(file: RequestFile): ReadRequest | { readonly faults: readonly Fault[] } {
  const { attributes, data } = file;
  const type = attributes?.['type'] ?? createType;
  if (type !== createType) throw new Error(`The event is a ${type}: render shows what ${createType} writes.`);
  const assumed = { ...assumedContext(data), ...assumedTime(file) };
  const parsed = clusterCreate.safeParse({
    ...data,
    cluster: withUser(data),
    certificates: data['certificates'] ?? certificates,
    context: assumed.context,
  });
  if (!parsed.success) return { faults: schemaFaults(parsed.error) };
  const subject = attributes?.['subject'];
  if (subject !== undefined && subject !== parsed.data.cluster.uuid) {
    const message = "The event's subject is not the UUID of the cluster in its data.";
    return { faults: [{ code: 'invalid_event', message }] };
  }
  const request = { id: attributes?.['id'] ?? 'render', time: assumed.time, data: parsed.data };
  return { request, notes: [...file.notes, ...assumed.notes, ...placeholderNotes(data)] };
}

function assumedContext(data: RequestFile['data']) {
  const given = typeof data['context'] === 'object' ? data['context'] : {};
  return {
    context: {
      user_id: userOf(data) ?? placeholder,
      project_id: textAt(data, 'cluster', 'project_id') ?? undefined,
      auth_url: 'https://keystone.invalid/v3',
      ...given,
      token: textAt(given, 'token') ?? placeholder,
    },
  };
}

/** The time decides the deadline in the operation's record; a row's own time makes the output the same each time. */
function assumedTime({ attributes, data }: RequestFile): { readonly time: string; readonly notes: readonly string[] } {
  const time = attributes?.['time'];
  if (time !== undefined) return { time, notes: [] };
  const created = Date.parse(textAt(data, 'cluster', 'created_at') ?? '');
  const assumed = new Date(Number.isNaN(created) ? 0 : created).toISOString();
  return { time: assumed, notes: [`The event is taken to have the id "render" and the time ${assumed}.`] };
}

/** `openstack coe cluster show` leaves the user out. */
function userOf(data: RequestFile['data']): string | null {
  return textAt(data, 'cluster', 'user_id') ?? textAt(data, 'context', 'user_id');
}

function withUser(data: RequestFile['data']): unknown {
  const { cluster } = data;
  return typeof cluster === 'object' ? { ...cluster, user_id: userOf(data) ?? placeholder } : cluster;
}

function placeholderNotes(data: RequestFile['data']): readonly string[] {
  const isGiven = { user: userOf(data) !== null, certificates: data['certificates'] !== undefined };
  return [
    ...(isGiven.user ? [] : ['The user is not given: a placeholder stands for the id.']),
    ...(isGiven.certificates ? [] : ['The certificates are not given: placeholders stand for them.']),
  ];
}
