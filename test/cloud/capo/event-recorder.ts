import { randomBytes } from 'node:crypto';
import { type ResourceType, resources } from '../../../shared/kubernetes/resources.ts';
import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import { pathOf, type WatchedObject } from './infrastructure-objects.ts';

/** The name under which CAPO records (main.go). */
const component = 'openstack-controller';
const eventType: ResourceType = { ...resources.event };

export interface EventRecorder {
  /** Records without waiting; what was recorded before is counted up, as client-go does. */
  normal(object: WatchedObject, reason: string, message: string): void;
  warning(object: WatchedObject, reason: string, message: string): void;
  /** Returns when everything is recorded. */
  flush(): Promise<void>;
}

interface Recorded {
  readonly name: string;
  count: number;
}

export function createEventRecorder(api: KubernetesApi, onError: (error: unknown) => void): EventRecorder {
  const recorded = new Map<string, Recorded>();
  let last: Promise<unknown> = Promise.resolve();

  const record = async (type: 'Normal' | 'Warning', object: WatchedObject, [reason, message]: [string, string]) => {
    const { namespace, name, uid } = object.metadata;
    const now = `${new Date().toISOString().slice(0, 19)}Z`;
    const key = [uid, type, reason, message].join('\n');
    const known = recorded.get(key);
    if (known !== undefined) {
      known.count += 1;
      const repeated = { count: known.count, lastTimestamp: now };
      await api.call('PATCH', pathOf(eventType, namespace, known.name), repeated);
      return;
    }
    const event = { name: `${name}.${randomBytes(8).toString('hex')}`, count: 1 };
    recorded.set(key, event);
    await api.call('POST', pathOf(eventType, namespace), {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: event.name, namespace },
      involvedObject: referenceTo(object),
      type,
      reason,
      message,
      count: 1,
      firstTimestamp: now,
      lastTimestamp: now,
      source: { component },
      reportingComponent: component,
      reportingInstance: '',
    });
  };

  const inOrder = (type: 'Normal' | 'Warning', object: WatchedObject, words: [string, string]) => {
    last = last.then(() => record(type, object, words)).catch(onError);
  };

  return {
    normal: (object, reason, message) => inOrder('Normal', object, [titled(reason), message]),
    warning: (object, reason, message) => inOrder('Warning', object, [titled(reason), message]),
    flush: async () => void (await last),
  };
}

/** CAPO's recorder makes every reason one capitalised word: Failedcreateserver (pkg/record/recorder.go). */
function titled(reason: string): string {
  return reason.slice(0, 1).toUpperCase() + reason.slice(1).toLowerCase();
}

function referenceTo({ apiVersion, kind, metadata }: WatchedObject): Record<string, string> {
  const { namespace, name, uid, resourceVersion } = metadata;
  return { apiVersion, kind, namespace, name, uid, resourceVersion };
}
