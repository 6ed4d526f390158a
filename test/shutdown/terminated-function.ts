import { expect } from 'vitest';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import type { FunctionStage } from '../functions/function-stage.ts';
import { startKillingProxy } from '../functions/killing-proxy.ts';
import { type EventAnswer, sendEvent } from '../functions/send-event.ts';
import { HeldCall, type Moment } from './held-call.ts';

export interface TypedEvent {
  readonly type: string;
  readonly [attribute: string]: unknown;
}

/** Where a function is started that will be ended. */
export type TerminationStage = Pick<FunctionStage, 'controlPlane' | 'startAnother' | 'environment'> & {
  readonly access: Pick<FunctionStage['access'], 'callerToken'>;
};

export interface Termination {
  /** @default the one that the stage starts */
  readonly name?: FunctionName;
  readonly event: TypedEvent;
  readonly moment: Moment;
  /** Further ones of its environment. @default none */
  readonly variables?: Readonly<Record<string, string>>;
  /** What happens to the call after SIGTERM: it goes on, it never does, or no call does any more. @default goes on */
  readonly callAfterwards?: 'goes on' | 'hangs' | 'all hang';
}

export interface Terminated {
  /** What the function has answered to the event. */
  readonly answer: EventAnswer;
  /** The call at which SIGTERM came. */
  readonly call: string;
  /** Milliseconds from SIGTERM to the end of the process. */
  readonly tookMs: number;
}

/**
 * Sends an event to a process of its own, and SIGTERM to that while one of its calls is under way; expects that it takes no
 * further events, answers this one, and ends by itself with code 0.
 */
export async function terminateAt(stage: TerminationStage, termination: Termination): Promise<Terminated> {
  const { name, event, moment, variables, callAfterwards = 'goes on' } = termination;
  const held = new HeldCall(moment);
  const { server, caCertificate } = stage.controlPlane;
  const proxy = await startKillingProxy({ server, caCertificate, before: (call) => held.before(call) });
  const address = { server: proxy.server, caCertificate: proxy.caCertificate };
  const environment = { variables: { ...stage.environment, ...variables } };
  const terminated = await stage.startAnother({ ...(name && { name }), ...address, ...environment });
  try {
    const { callerToken } = stage.access;
    const answered = sendEvent(terminated.url, event, callerToken);
    const call = await Promise.race([held.arrived, answered.then(showEarly)]);
    const signalled = performance.now();
    terminated.signal('SIGTERM');
    await waitFor(async () => expect(terminated.logLines.join()).toContain('"stopping"'), { what: 'the end to begin' });
    const late = sendEvent(terminated.url, { ...event, id: 'late' }, callerToken).catch(() => undefined);
    if (callAfterwards === 'all hang') held.hang();
    if (callAfterwards === 'goes on') held.release();
    const answer = await answered;
    expect(await terminated.ended).toBe(0);
    // Refused by the host, or by the port that is gone.
    expect((await late)?.status ?? 503).toBe(503);
    return { answer, call, tookMs: performance.now() - signalled };
  } finally {
    await terminated.stop('SIGKILL');
    await proxy.stop();
  }
}

function showEarly(answer: EventAnswer): never {
  throw new Error(`The operation has no such call: ${answer.status} ${JSON.stringify(answer.data)}`);
}

/** The Lease of a cluster; undefined where nobody holds it. */
export async function leaseOf(stage: Pick<FunctionStage, 'kubernetes'>, uuid: string) {
  const lease = await stage.kubernetes.find(resources.lease, { namespace, name: `cluster-${uuid}` });
  return lease?.spec?.holderIdentity ? lease : undefined;
}
