import type { FunctionName } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import type { ExampleEvent } from './example-event.ts';
import type { FunctionStage } from './function-stage.ts';
import { startKillingProxy } from './killing-proxy.ts';
import { acceptedStackId, type EventAnswer } from './send-event.ts';

/** More than any operation has; the loop ends with the first one that is not killed. */
const mostWrites = 60;
/** Seconds; a killed function's Lease has to expire before the next one can go on. A shorter one is lost on a busy machine. */
const leaseSeconds = 2;

/** Renewals come by the clock. */
const renewal = /^PATCH .*\/leases\//;

/** What is another one in each attempt: a write is known again by the rest of its path. */
const namesOfAttempt: readonly (readonly [RegExp, string])[] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uuid>'],
  [/\bmagnum-v[a-z0-9.-]+-[0-9a-f]{8}\b/g, '<class>'],
  [/\bkube-[a-z0-9]{5}\b/g, '<stack>'],
  [/\b[0-9a-f]{32}\b/g, '<id>'],
  // The number of an attempt, then the end of a machine's name.
  [/-\d+\b/g, '-<number>'],
  [/-[0-9a-f]{5}\b/g, '-<id>'],
];

/** One operation that is killed once. */
export interface KilledOperation {
  readonly event: ExampleEvent;
  /** @default the function's own */
  readonly bundle?: string;
  /** Looks at what is there after the event was sent again; its answer is that of an accepted operation. */
  readonly check: (stackId: string, answer: EventAnswer) => Promise<void>;
}

/**
 * Kills a function after a write of Kubernetes or OpenStack, before it learns how that went, and sends the event again to a
 * healthy process; then another after a write that none was killed after yet, and so on until an operation has no such write.
 * Writes run side by side, and some are repeated: so each is known by what it writes and how often the same came before.
 * @param next prepares an operation of its own for each attempt, counted from 1
 * @returns the writes after which it was killed, e.g. `POST /compute/v2.1/os-server-groups 2`
 */
export async function killAfterEachWrite(
  stage: FunctionStage,
  name: FunctionName,
  next: (attempt: number) => Promise<KilledOperation>,
): Promise<readonly string[]> {
  const killedAfter = new Set<string>();
  for (let attempt = 1; attempt <= mostWrites; attempt += 1) {
    const operation = await next(attempt);
    const write = await runUntilKilled(stage, { name, operation, known: killedAfter });
    await finish(stage, name, operation);
    if (write === undefined) return [...killedAfter];
    killedAfter.add(write);
  }
  throw new Error(`The operation has more than ${mostWrites} writes: ${[...killedAfter].join(', ')}.`);
}

interface Killing {
  readonly name: FunctionName;
  readonly operation: KilledOperation;
  /** The function does not die after these writes. */
  readonly known: ReadonlySet<string>;
}

/** The write after which the function was killed; undefined where the operation has none but those that are known. */
async function runUntilKilled(stage: FunctionStage, { name, operation, known }: Killing): Promise<string | undefined> {
  let numbered = numbering();
  let last: string | undefined;
  const afterWrite = (call: string) => {
    if (renewal.test(call) || last !== undefined) return false;
    const write = numbered(call);
    if (known.has(write)) return false;
    last = write;
    victim.signal('SIGKILL');
    return true;
  };
  const { server, caCertificate } = stage.controlPlane;
  const proxy = await startKillingProxy({ server, caCertificate, afterWrite });
  const options = { leaseSeconds, server: proxy.server, caCertificate: proxy.caCertificate };
  const victim = await stage.startAnother({ ...processOf(name, operation), ...options });
  const kill = ({ method, path }: { readonly method: string; readonly path: string }) =>
    method !== 'GET' && afterWrite(`${method} ${path}`);
  stage.cloud.faults.inject({ when: kill, cut: 'after' });
  const send = () => {
    numbered = numbering();
    return stage.sendOnce(operation.event, victim.url).catch(() => undefined);
  };
  let answer = await send();
  // A slow machine does not always renew so short a Lease in time; the sender then tries again.
  while (last === undefined && answer?.status === 429) answer = await send();
  stage.cloud.faults.clear();
  await victim.stop('SIGKILL');
  await proxy.stop();
  if (last === undefined) acceptedStackId(answer ?? { status: 0, headers: {}, type: '', data: undefined });
  return last;
}

/** Names the writes of one sending: what is written, and which of its kind it is, counted from 1. */
function numbering(): (call: string) => string {
  const counts = new Map<string, number>();
  return (call) => {
    const kind = namesOfAttempt.reduce((text, [name, placeholder]) => text.replace(name, placeholder), call);
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return `${kind} ${count}`;
  };
}

/** Sends the event again to a healthy process, which also gives the Lease back. */
async function finish(stage: FunctionStage, name: FunctionName, operation: KilledOperation): Promise<void> {
  const { event, check } = operation;
  const healthy = await stage.startAnother(processOf(name, operation));
  const answer = await stage.send(event, healthy.url);
  await healthy.stop();
  await check(acceptedStackId(answer), answer);
  const isFree = async () => {
    const lease = await stage.kubernetes.find(resources.lease, { namespace, name: `cluster-${event.subject}` });
    if (lease !== undefined) throw new Error('The Lease is still there.');
  };
  await waitFor(isFree, { what: `the end of the Lease of ${event.subject}`, timeout: 20_000 });
}

function processOf(name: FunctionName, { bundle }: KilledOperation) {
  return bundle === undefined ? { name } : { name, bundle };
}
