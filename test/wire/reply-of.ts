import { CloudEvent, HTTP } from 'cloudevents';
import { expect } from 'vitest';
import type { WireAnswer } from './exchange-wire.ts';

/**
 * The event of an answer that everybody who delivers takes for a success; undefined where there is nothing to say. Between them, the
 * brokers ask for this (read in their sources, main in June and July 2026):
 *
 * - any 2xx with a body that is no CloudEvent is a failure: the filter of the broker over channels makes it 502
 *   (https://github.com/knative/eventing/blob/main/pkg/broker/filter/filter_handler.go), the Kafka Broker does not commit
 *   (https://github.com/knative-extensions/eventing-kafka-broker/blob/main/data-plane/dispatcher/src/main/java/dev/knative/eventing/kafka/broker/dispatcher/impl/BaseResponseHandler.java);
 * - the reply goes to the ingress of the Broker, which wants specversion, id, source and type, and puts its own hop count in it;
 * - 202 must carry none (https://github.com/knative/specs/blob/main/specs/eventing/data-plane.md).
 */
export function replyOf(answer: WireAnswer): CloudEvent<unknown> | undefined {
  const { status, headers, body } = answer;
  const attributes = Object.keys(headers).filter((name) => name.startsWith('ce-'));
  if (status === 204) {
    expect({ body, attributes }).toEqual({ body: '', attributes: [] });
    return undefined;
  }
  expect(status, JSON.stringify(answer)).toBe(200);
  expect(headers['content-type']).toBe('application/json');
  for (const name of attributes) {
    expect(name).toMatch(/^ce-[a-z0-9]+$/);
    expect(name).not.toMatch(/^ce-knative/);
    // Not every receiver decodes: what is plain text has to stay it.
    expect(headers[name]).toMatch(/^[!-~]+$/);
  }
  // The library reads it, and checks it by the schema of the specification.
  const event = HTTP.toEvent<unknown>({ headers: { ...headers }, body });
  if (!(event instanceof CloudEvent)) throw new Error('The library read a batch.');
  expect(event.validate()).toBe(true);
  expect(headers['ce-specversion']).toBe('1.0');
  return event;
}
