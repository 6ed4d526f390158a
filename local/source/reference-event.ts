import { randomUUID } from 'node:crypto';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import type { Change, ObjectReference } from '../../shared/kubernetes/watch/watched-resource.ts';

const operations: Readonly<Record<Change, string>> = { ADDED: 'add', MODIFIED: 'update', DELETED: 'delete' };

/**
 * The event that Knative's ApiServerSource sends in Reference mode (adapter/apiserver/events/events.go).
 * @param source the API server's URL
 */
export function referenceEvent(change: Change, object: ObjectReference, source: string): CarriedEvent {
  const { apiVersion, kind, name, namespace } = object;
  return {
    attributes: {
      specversion: '1.0',
      id: randomUUID(),
      source,
      type: `dev.knative.apiserver.ref.${operations[change]}`,
      // A label rather than a path: the core group's would start with /api.
      subject: `/apis/${apiVersion}/namespaces/${namespace}/${guessedPlural(kind)}/${name}`,
      time: new Date().toISOString(),
      apiversion: apiVersion,
      kind,
      name,
      namespace,
    },
    contentType: 'application/json',
    body: Buffer.from(JSON.stringify({ kind, namespace, name, apiVersion })),
  };
}

/** As Kubernetes guesses a resource's name from its kind (apimachinery, UnsafeGuessKindToResource). */
function guessedPlural(kind: string): string {
  const singular = kind.toLowerCase();
  if (singular.endsWith('endpoints')) return singular;
  if (singular.endsWith('s')) return `${singular}es`;
  return singular.endsWith('y') ? `${singular.slice(0, -1)}ies` : `${singular}s`;
}
