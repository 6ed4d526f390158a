import { InvalidEventError } from '../../shared/contract/errors.ts';
import { type CarriedEvent, withAttributes } from '../../shared/event/carried-event.ts';
import type { Logger } from '../../shared/host/logger.ts';
import { type Clock, systemClock } from '../../shared/kubernetes/clock.ts';
import type { Broker, Destination, Trigger } from '../manifests/knative-objects.ts';
import type { DeadLetters } from './dead-letters.ts';
import { deliver, timeToLive } from './delivery.ts';
import { type DeliveryPolicy, deliveryPolicy } from './delivery-policy.ts';
import { createDispatcher, type Disturbance } from './disturbance.ts';
import { selects } from './event-filter.ts';

export interface LocalBrokerOptions {
  readonly broker: Broker;
  /** Those of other brokers are left out. */
  readonly triggers: readonly Trigger[];
  /** URL of a subscriber; undefined where it is not part of the local system: then nothing is delivered. */
  readonly resolve: (destination: Destination) => string | undefined;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
  /** Told each event that comes in, before it is delivered. */
  readonly onEvent?: ((event: CarriedEvent) => void) | undefined;
  /** @default none */
  readonly disturbance?: Disturbance | undefined;
  readonly clock?: Clock | undefined;
}

/** As Knative's ingress starts with. */
const firstTimeToLive = 255;

interface Subscription {
  readonly trigger: Trigger;
  readonly url: string;
  readonly policy: DeliveryPolicy;
}

/** A broker in memory, with Knative's delivery contract and its Triggers. */
export class LocalBroker {
  readonly #options: LocalBrokerOptions;
  readonly #clock: Clock;
  readonly #subscriptions: readonly Subscription[];
  readonly #dispatch: (deliver: () => void) => void;
  readonly #stopped = new AbortController();
  readonly #onTheWay = new Set<Promise<void>>();

  constructor(options: LocalBrokerOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#subscriptions = subscriptionsOf(options);
    this.#dispatch = createDispatcher(options.disturbance ?? {}, this.#clock);
  }

  /**
   * Takes an event; deliveries follow, in parallel and in no order.
   * @throws InvalidEventError where it has been around too often
   */
  accept(incoming: CarriedEvent): void {
    const event = onArrival(incoming, this.#clock);
    this.#options.onEvent?.(event);
    for (const subscription of this.#subscriptions.filter(({ trigger }) => selects(trigger, event))) {
      this.#dispatch(() => this.#track(this.#deliver(event, subscription)));
    }
  }

  /** Resolves when no delivery is on its way. */
  async idle(): Promise<void> {
    while (this.#onTheWay.size > 0) await Promise.all(this.#onTheWay);
  }

  /** Gives up what is on its way. */
  stop(): void {
    this.#stopped.abort();
  }

  #track(delivery: Promise<void>): void {
    this.#onTheWay.add(delivery);
    void delivery.finally(() => this.#onTheWay.delete(delivery));
  }

  async #deliver(event: CarriedEvent, { trigger, url, policy }: Subscription): Promise<void> {
    const { namespace } = trigger.metadata;
    const { signal } = this.#stopped;
    const outcome = await deliver({ url, event, namespace, policy, clock: this.#clock, signal });
    if (outcome?.kind === 'delivered') this.#takeReply(outcome.reply, event);
    if (outcome?.kind !== 'failed') return;
    const { id, type } = event.attributes;
    const { status, data } = outcome;
    const isKept = policy.deadLetterSink !== undefined;
    const dead = withAttributes(event, { [timeToLive]: undefined });
    if (isKept) this.#options.deadLetters.add(dead, { destination: withoutSecrets(url), status, data });
    const text = isKept ? 'an event could not be delivered: see /dead-letters' : 'an event could not be delivered';
    this.#options.logger.error({ trigger: trigger.metadata.name, event_id: id, event_type: type, status }, text);
  }

  #takeReply(reply: CarriedEvent | undefined, to: CarriedEvent): void {
    if (reply === undefined) return;
    try {
      this.accept(withAttributes(reply, { [timeToLive]: to.attributes[timeToLive] }));
    } catch (error) {
      this.#options.logger.error({ err: error, event_type: reply.attributes['type'] }, 'a reply is dropped');
    }
  }
}

function subscriptionsOf({ broker, triggers, resolve, logger }: LocalBrokerOptions): readonly Subscription[] {
  return triggers
    .filter(({ spec }) => spec.broker === broker.metadata.name)
    .flatMap((trigger) => {
      const url = resolve(trigger.spec.subscriber);
      if (url !== undefined) return [{ trigger, url, policy: deliveryPolicy(trigger, broker) }];
      logger.info({ trigger: trigger.metadata.name }, 'nobody here takes the events of a Trigger');
      return [];
    });
}

/** What Knative's ingress adds; an event that comes back as the reply to a reply lives one step less. */
function onArrival(event: CarriedEvent, clock: Clock): CarriedEvent {
  const given = event.attributes[timeToLive];
  const left = given === undefined ? firstTimeToLive : Number(given) - 1;
  if (!(left > 0)) throw new InvalidEventError('The event has been through the broker too often.');
  const knativearrivaltime = new Date(clock.now()).toISOString();
  return withAttributes(event, { [timeToLive]: String(left), knativearrivaltime });
}

/** A subscriber's URI may carry a password or a secret query. */
function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url);
  return `${origin}${pathname}`;
}
