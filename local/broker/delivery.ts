import { DriverError } from '../../shared/contract/errors.ts';
import { type CarriedEvent, readCarriedEvent, withAttributes } from '../../shared/event/carried-event.ts';
import { type PostAnswer, postEvent } from '../../shared/event/post-event.ts';
import type { Clock } from '../../shared/kubernetes/clock.ts';
import { type DeliveryPolicy, isRetriedByBroker } from './delivery-policy.ts';

/** What one attempt came to. */
type Attempt = Delivered | Failed;

interface Delivered {
  readonly kind: 'delivered';
  readonly reply: CarriedEvent | undefined;
}

interface Failed {
  readonly kind: 'failed';
  readonly isRetried: boolean;
  /** 500 where no answer came, as in Knative. */
  readonly status: number;
  readonly data: string;
}

export interface DeliveryOptions {
  readonly url: string;
  readonly event: CarriedEvent;
  /** Of the Trigger. */
  readonly namespace: string;
  readonly policy: DeliveryPolicy;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Extension that ends a loop of events and replies; a subscriber does not see it. */
export const timeToLive = 'knativebrokerttl';

/**
 * Delivers an event until that succeeds, is refused for good or has been tried often enough.
 * @returns the last attempt; undefined when the signal aborts
 */
export async function deliver(options: DeliveryOptions): Promise<Attempt | undefined> {
  const { policy, clock, signal } = options;
  for (let retry = 0; ; retry += 1) {
    const attempt = await attemptOnce(options);
    if (signal.aborted) return undefined;
    if (attempt.kind === 'delivered' || !attempt.isRetried || retry === policy.retries) return attempt;
    await clock.sleep(policy.delayBefore(retry), signal);
  }
}

async function attemptOnce({ event, url, namespace, policy, signal }: DeliveryOptions): Promise<Attempt> {
  try {
    const answer = await postEvent({
      url,
      event: withAttributes(event, { [timeToLive]: undefined }),
      headers: { prefer: 'reply', 'kn-namespace': namespace },
      timeout: policy.timeout,
      signal,
    });
    return judge(answer);
  } catch (error) {
    const data = `dispatch error: ${error instanceof Error ? error.message : String(error)}`;
    return { kind: 'failed', isRetried: true, status: 500, data };
  }
}

/** A success with a body that is no event is a failure: a broker has nowhere to put it. */
function judge(answer: PostAnswer): Attempt {
  const { status, body } = answer;
  if (status < 200 || status > 299) {
    return { kind: 'failed', isRetried: isRetriedByBroker(status), status, data: body.toString('utf8') };
  }
  const reply = replyOf(answer);
  if (reply !== undefined) return { kind: 'delivered', reply: isReplyStatus(status) ? reply : undefined };
  if (body.byteLength === 0) return { kind: 'delivered', reply: undefined };
  return { kind: 'failed', isRetried: true, status: 502, data: 'The answer is neither empty nor a CloudEvent.' };
}

/** 202 says that the event was taken, 204 that there is nothing to say. */
function isReplyStatus(status: number): boolean {
  return status !== 202 && status !== 204;
}

function replyOf(answer: PostAnswer): CarriedEvent | undefined {
  try {
    return readCarriedEvent(answer);
  } catch (error) {
    if (error instanceof DriverError) return undefined;
    throw error;
  }
}
