import { randomUUID } from 'node:crypto';
import { referenceEvent } from '../../local/source/reference-event.ts';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { type PostAnswer, postEvent } from '../../shared/event/post-event.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import type { Change, ObjectReference } from '../../shared/kubernetes/watch/watched-resource.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';

/** Longer than the 110 s after which a function answers. */
const timeout = 120_000;

/**
 * Posts an event as a broker does.
 * @throws Error for an answer that is no success
 */
export async function post(url: string, event: CarriedEvent): Promise<PostAnswer> {
  const headers = { prefer: 'reply', 'kn-namespace': managementNamespace };
  const answer = await postEvent({ url, event, headers, timeout, signal: AbortSignal.timeout(timeout) });
  if (answer.status >= 200 && answer.status <= 299) return answer;
  throw new Error(`A function answered ${answer.status} to ${event.attributes['type']}: ${answer.body}`);
}

/** The event of a change of an object in the driver's namespace. */
export function changeOf({ apiVersion, kind }: Pick<ResourceType, 'apiVersion' | 'kind'>, name: string): CarriedEvent {
  return eventOf('MODIFIED', { apiVersion, kind, name, namespace: managementNamespace });
}

export function eventOf(change: Change, object: ObjectReference): CarriedEvent {
  return referenceEvent(change, object, 'https://127.0.0.1');
}

/** What a PingSource sends. */
export function pingEvent(): CarriedEvent {
  const attributes = { specversion: '1.0', id: randomUUID(), source: '/bench', type: 'dev.knative.sources.ping' };
  return { attributes, contentType: undefined, body: Buffer.alloc(0) };
}
