import { inject, vi } from 'vitest';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { ExampleEvent } from './example-event.ts';
import type { FunctionStage } from './function-stage.ts';
import { startKillingProxy } from './killing-proxy.ts';
import { acceptedStackId, type EventAnswer } from './send-event.ts';

/** More than any operation has; the loop ends with the first one that is not killed. */
const mostWrites = 40;
/** Seconds; a killed function's Lease has to expire before the next one can go on. A shorter one is lost on a busy machine. */
const leaseSeconds = 2;

/** Renewals come by the clock, so they would make the numbering of writes another one each time. */
const renewal = /^PATCH .*\/leases\//;

/** One operation that is killed once. */
export interface KilledOperation {
  readonly event: ExampleEvent;
  /** @default the function's own */
  readonly bundle?: string;
  /** Looks at what is there after the event was sent again; its answer is that of an accepted operation. */
  readonly check: (stackId: string, answer: EventAnswer) => Promise<void>;
}

/**
 * Kills a function after its first write of Kubernetes or OpenStack, before it learns how that went, and sends the event
 * again to a healthy process; then another after its second write, and so on until an operation has no more of them.
 * @param next prepares an operation of its own for each attempt, counted from 1
 * @returns the writes after which it was killed, e.g. `POST /compute/v2.1/os-server-groups`
 */
export async function killAfterEachWrite(
  stage: FunctionStage,
  name: FunctionName,
  next: (attempt: number) => Promise<KilledOperation>,
): Promise<readonly string[]> {
  const killedAfter: string[] = [];
  for (let count = 1; count <= mostWrites; count += 1) {
    const operation = await next(count);
    const write = await runUntilKilled(stage, { name, operation, count });
    await finish(stage, name, operation);
    if (write === undefined) return killedAfter;
    killedAfter.push(write);
  }
  throw new Error(`The operation has more than ${mostWrites} writes.`);
}

interface Killing {
  readonly name: FunctionName;
  readonly operation: KilledOperation;
  /** The function dies after this many writes. */
  readonly count: number;
}

/** The write after which the function was killed; undefined where the operation has fewer of them. */
async function runUntilKilled(stage: FunctionStage, { name, operation, count }: Killing): Promise<string | undefined> {
  let writes = 0;
  let last: string | undefined;
  const afterWrite = (call: string) => {
    if (renewal.test(call)) return false;
    writes += 1;
    if (writes !== count) return false;
    last = call;
    victim.signal('SIGKILL');
    return true;
  };
  const [server, caCertificate] = [inject('server'), inject('caCertificate')];
  const proxy = await startKillingProxy({ server, caCertificate, afterWrite });
  const options = { leaseSeconds, server: proxy.server, caCertificate: proxy.caCertificate };
  const victim = await stage.startAnother({ ...processOf(name, operation), ...options });
  const kill = ({ method, path }: { readonly method: string; readonly path: string }) =>
    method !== 'GET' && afterWrite(`${method} ${path}`);
  stage.cloud.faults.inject({ when: kill, cut: 'after' });
  const send = () => stage.sendOnce(operation.event, victim.url).catch(() => undefined);
  let answer = await send();
  // A slow machine does not always renew so short a Lease in time; the sender then tries again.
  while (last === undefined && answer?.status === 429) answer = await send();
  stage.cloud.faults.clear();
  await victim.stop('SIGKILL');
  await proxy.stop();
  if (last === undefined) acceptedStackId(answer ?? { status: 0, headers: {}, type: '', data: undefined });
  return last;
}

/** Sends the event again to a healthy process, which also gives the Lease back. */
async function finish(stage: FunctionStage, name: FunctionName, operation: KilledOperation): Promise<void> {
  const { event, check } = operation;
  const healthy = await stage.startAnother(processOf(name, operation));
  const answer = await stage.send(event, healthy.url);
  await healthy.stop();
  await check(acceptedStackId(answer), answer);
  await vi.waitFor(async () => {
    const lease = await stage.kubernetes.find(resources.lease, { namespace, name: `cluster-${event.subject}` });
    if (lease !== undefined) throw new Error('The Lease is still there.');
  });
}

function processOf(name: FunctionName, { bundle }: KilledOperation) {
  return bundle === undefined ? { name } : { name, bundle };
}
