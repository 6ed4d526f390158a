import type { Broker, DeliverySpec, Destination, Trigger } from '../manifests/knative-objects.ts';

/** How a delivery is tried again. Times in milliseconds. */
export interface DeliveryPolicy {
  /** Attempts after the first. */
  readonly retries: number;
  /** Wait before an attempt; the first retry is 0. */
  readonly delayBefore: (retry: number) => number;
  /** For one attempt. */
  readonly timeout: number;
  /** Where goes what was not delivered; undefined = it is lost. */
  readonly deadLetterSink: Destination | undefined;
}

/** What Knative does where neither Trigger nor Broker says anything (ConfigMap config-br-defaults). */
const defaults: DeliverySpec = { retry: 10, backoffPolicy: 'exponential', backoffDelay: 200 };

/** As of Knative's brokers without `delivery.timeout`. */
const defaultTimeout = 600_000;

/** A Trigger's own delivery replaces the Broker's whole, but for the dead letter sink. */
export function deliveryPolicy(trigger: Trigger, broker: Broker | undefined): DeliveryPolicy {
  const ofBroker = broker?.spec.delivery;
  const delivery = trigger.spec.delivery ?? ofBroker ?? defaults;
  const { retry = 0, backoffPolicy = 'exponential', backoffDelay = 0, timeout = defaultTimeout } = delivery;
  return {
    retries: retry,
    delayBefore: (count) => backoffDelay * (backoffPolicy === 'exponential' ? 2 ** count : count),
    timeout,
    deadLetterSink: delivery.deadLetterSink ?? ofBroker?.deadLetterSink,
  };
}

/** Whether a broker sends an event again that was answered so; what gets no answer is always sent again. */
export function isRetriedByBroker(status: number): boolean {
  return status >= 500 || [404, 408, 409, 429].includes(status);
}
