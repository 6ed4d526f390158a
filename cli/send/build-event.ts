import { randomUUID } from 'node:crypto';
import { schemaUri } from '../../shared/contract/schema-uri.ts';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import { UsageError } from '../errors.ts';
import type { RequestFile } from '../event/request-file.ts';
import { requestType } from './event-types.ts';

export interface EventChoices {
  /** By its short or whole name; overrides the file's. */
  readonly type: string | undefined;
  /** Keep id and time of the file: a function then takes the event for the same one. */
  readonly keepId: boolean;
  /** Keystone token of the user for whom it is asked, where the file has none. */
  readonly userToken: string | undefined;
}

const source = '/magnum-capi/send';

/** The event of a file, ready to be sent. @throws UsageError */
export function eventOf({ attributes, data }: RequestFile, choices: EventChoices): CarriedEvent {
  const type = typeOf(attributes?.['type'], choices.type);
  const uuid = attributes?.['subject'] ?? textAt(data, 'cluster', 'uuid');
  if (uuid === null) throw new UsageError('The event names no cluster: neither a subject nor the uuid of its cluster.');
  const fresh = { id: `req-${randomUUID()}`, time: new Date().toISOString() };
  const kept = choices.keepId && attributes !== null ? {} : fresh;
  return {
    attributes: {
      specversion: '1.0',
      source,
      subject: uuid,
      partitionkey: uuid,
      dataschema: schemaUri(type),
      ...attributes,
      ...kept,
      type,
    },
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify(withToken(data, choices.userToken))),
  };
}

function typeOf(own: string | undefined, asked: string | undefined): string {
  const name = asked ?? own;
  if (name === undefined) throw new UsageError('The file holds data alone: say its event by --type.');
  return requestType(name);
}

function withToken(data: RequestFile['data'], token: string | undefined): RequestFile['data'] {
  if (token === undefined || textAt(data, 'context', 'token') !== null) return data;
  return { ...data, context: { ...Object(data['context']), token } };
}

/** Events that need no more than the cluster's name; all others change something, by what Magnum knows of it. */
const looking = new Set([
  'org.openstack.magnum.cluster.status.requested.v1',
  'org.openstack.magnum.cluster.health.requested.v1',
]);

/** A request that only looks at a cluster, made without a file. @throws UsageError for any other */
export function lookingRequest(
  name: string,
  cluster: { readonly uuid: string; readonly stackId: string | null },
): RequestFile {
  if (!looking.has(requestType(name))) {
    throw new UsageError(`A ${name} needs what Magnum knows of the cluster: give a file with the event or its data.`);
  }
  return {
    attributes: null,
    data: {
      cluster: { uuid: cluster.uuid, stack_id: cluster.stackId },
      cluster_template: {},
      nodegroups: [],
      context: { user_id: 'magnum-capi', project_id: 'magnum-capi', auth_url: 'https://keystone.invalid/v3' },
    },
    notes: [],
  };
}
