import type { RequestInfo } from 'openstack-client-ts';
import type { CallCounter } from '../host/call-counter.ts';
import type { RequestObserver } from '../kubernetes/caller.ts';
import { activeScope } from './event-scope.ts';
import type { SpanAttributes } from './span.ts';

/** Systems that a function calls: the management cluster, the API of a cluster itself, the cloud, and who takes its reports. */
type CallTarget = 'kubernetes' | 'workload' | 'openstack' | 'sink';

/** One attempt of a call, as far as it may be told: no header, no query, no body. */
export interface ObservedCall {
  readonly target: CallTarget;
  /** Name of its span. */
  readonly name: string;
  /** From 1. */
  readonly attempt: number;
  /** HTTP status; undefined where no answer came. */
  readonly status: number | undefined;
  /** Milliseconds. */
  readonly durationMs: number;
  readonly attributes: SpanAttributes;
}

/** Counts an attempt for the event that it is made for, and records its span. */
export function observeCall({ target, name, attempt, status, durationMs, attributes }: ObservedCall): void {
  const scope = activeScope();
  if (scope === undefined) return;
  const { functionName, metrics, trace, spanId: parentSpanId } = scope;
  const statusClass = status === undefined ? 'none' : `${Math.trunc(status / 100)}xx`;
  metrics.add('apiCalls', { function: functionName, target, status_class: statusClass });
  if (attempt > 1) metrics.add('apiRetries', { function: functionName, target });
  if (!trace.isRecording) return;
  trace.add({
    name,
    kind: 'client',
    parentSpanId,
    started: performance.now() - durationMs,
    attributes: {
      'magnum_capi.target': target,
      ...attributes,
      'http.response.status_code': status,
      'http.request.resend_count': attempt > 1 ? attempt - 1 : undefined,
    },
    isError: status === undefined || status >= 400,
  });
}

/** Observes the client of a Kubernetes API. */
export function kubernetesObserver(target: 'kubernetes' | 'workload'): RequestObserver {
  return ({ verb, resource, name, status, durationMs, attempt }) => {
    const attributes = { 'k8s.request.verb': verb, 'k8s.request.resource': resource, 'k8s.request.name': name };
    observeCall({ target, name: `${verb} ${resource}`, attempt, status, durationMs, attributes });
  };
}

/**
 * Counts and observes what an event asks of the cloud. Whoever hands it on needs not know what it is told.
 * @returns an observer of sessions
 */
export function cloudObserver(calls: CallCounter): (request?: RequestInfo) => void {
  return (request) => {
    calls.count('openstack');
    if (request !== undefined) observeCloudRequest(request);
  };
}

function observeCloudRequest({ service, method, path, status, durationMs, attempt }: RequestInfo): void {
  const attributes = {
    'openstack.service': service,
    'http.request.method': method,
    'url.template': path.split('/').map(withoutId).join('/'),
  };
  observeCall({ target: 'openstack', name: `${method} ${service}`, attempt, status, durationMs, attributes });
}

/** UUIDs, with or without hyphens, numbers, and what Keystone calls a user of an external directory. */
const id = /^(?:[\da-f]{32}|[\da-f]{64}|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|\d+)$/i;

/** Ids, and names that users have chosen, make every path another one. Key pairs alone are addressed by a name. */
function withoutId(segment: string, index: number, path: readonly string[]): string {
  return id.test(segment) || path[index - 1] === 'os-keypairs' ? '{id}' : segment;
}
