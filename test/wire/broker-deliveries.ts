import type { WireRequest } from './wire-request.ts';
import { asGoWrites, asVertxWrites } from './wire-request.ts';

/** A broker as the subscriber of a Trigger sees it. */
export interface BrokerOnTheWire {
  readonly name: string;
  /** What it adds to an event on its way. */
  readonly delivers: (event: WireRequest) => WireRequest;
  /** What it adds when it gives the event up and hands it to the sink of dead letters. */
  readonly givesUp: (event: WireRequest, failure: DeliveryFailure) => WireRequest;
  readonly writes: (request: WireRequest) => Buffer;
  /** Whether a Trigger can have it send events in structured mode (`delivery.format`). */
  readonly knowsFormats: boolean;
}

export interface DeliveryFailure {
  /** URL of the subscriber. */
  readonly destination: string;
  /** Status and body of its last answer. */
  readonly code: number;
  readonly body: string;
}

const namespace = 'magnum-system';
/** W3C Trace Context, which all of them send where tracing is on. */
const trace = {
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  tracestate: 'vendor=00f067aa0ba902b7,other=t61rcWkgMzE',
};
const asReply = { prefer: 'reply', 'kn-namespace': namespace };

function withHeaders(request: WireRequest, headers: Readonly<Record<string, string>>): WireRequest {
  return { ...request, headers: { ...request.headers, ...headers } };
}

/**
 * Built from documentation and source:
 * https://github.com/knative/eventing/blob/main/docs/mt-channel-based-broker/README.md, and of eventing 1.22
 * pkg/broker/ingress/ingress_handler.go (time of arrival), pkg/broker/ttl.go (hop count, which the filter takes away again),
 * pkg/utils/headers.go (headers that pass through), pkg/kncloudevents/event_dispatcher.go and
 * https://knative.dev/docs/eventing/event-delivery/ (dead letters).
 */
const overChannels: BrokerOnTheWire = {
  name: 'the broker over in-memory channels',
  delivers: (event) =>
    withHeaders(event, {
      ...asReply,
      ...trace,
      'ce-knativearrivaltime': '2026-11-30T06:00:00.510166253Z',
      'x-request-id': '3e2f3d0e-1f3f-4a36-9f2a-fd0b7b0a2a51',
      'x-b3-traceid': '4bf92f3577b34da6a3ce929d0e0e4736',
      'x-b3-sampled': '1',
      'knative-anything': 'at all',
    }),
  // The letter goes by the filter once more, which leaves the hop count there.
  givesUp: (event, { destination, code, body }) =>
    withHeaders(overChannels.delivers(event), {
      'ce-knativebrokerttl': '254',
      'ce-knativeerrordest': destination,
      'ce-knativeerrorcode': String(code),
      'ce-knativeerrordata': Buffer.from(body).toString('base64').slice(0, 1024),
    }),
  writes: asGoWrites,
  knowsFormats: true,
};

/**
 * Built from documentation and source: https://knative.dev/docs/eventing/brokers/broker-types/kafka-broker/,
 * https://github.com/cloudevents/spec/blob/v1.0.2/cloudevents/extensions/partitioning.md, and of
 * https://github.com/knative-extensions/eventing-kafka-broker (July 2026), below data-plane/dispatcher:
 * consumer/CloudEventOverridesMutator.java (partition, offset, and the topic in later ones), http/WebClientCloudEventSender.java
 * (headers), RecordDispatcherImpl.java (dead letters: the data is cut before it is encoded, and a `kne-` header of the answer becomes an
 * extension).
 */
const kafka: BrokerOnTheWire = {
  name: 'the Kafka Broker',
  delivers: (event) => {
    const { 'user-agent': _agent, 'kn-namespace': _namespace, ...headers } = event.headers;
    return withHeaders(
      { ...event, headers: { 'user-agent': 'Vert.x-WebClient/4.5.14', ...asReply, ...headers } },
      {
        ...trace,
        'ce-partitionkey': 'a3f0b1c2-0000-4000-8000-000000000001',
        'ce-knativekafkapartition': '7',
        'ce-knativekafkaoffset': '9007199254740993',
        'ce-knativekafkatopic': 'knative-broker-magnum-system-magnum',
      },
    );
  },
  givesUp: (event, { destination, code, body }) =>
    withHeaders(kafka.delivers(event), {
      'ce-knativeerrordest': destination,
      'ce-knativeerrorcode': String(code),
      'ce-knativeerrordata': Buffer.from(body).subarray(0, 1024).toString('base64'),
      'ce-cause': 'from a kne-cause header',
    }),
  writes: asVertxWrites,
  knowsFormats: false,
};

/**
 * Built from documentation and source: https://knative.dev/docs/eventing/brokers/broker-types/rabbitmq-broker/, and of
 * https://github.com/knative-extensions/eventing-rabbitmq (July 2026) pkg/dispatcher/dispatcher.go and pkg/rabbit/message.go: there
 * is neither `Prefer` nor `Kn-Namespace`, extensions become texts, and an event without a time gets the year 1. Of an event that it gives
 * up it tells destination and code alone; -1 where there was no answer.
 */
const rabbitmq: BrokerOnTheWire = {
  name: 'the RabbitMQ Broker',
  delivers: (event) => {
    const { 'kn-namespace': _namespace, 'ce-time': time = '0001-01-01T00:00:00Z', ...headers } = event.headers;
    return { ...event, headers: { ...headers, ...trace, 'user-agent': 'Go-http-client/1.1', 'ce-time': time } };
  },
  givesUp: (event, { destination, code }) =>
    withHeaders(rabbitmq.delivers(event), {
      'ce-knativeerrordest': destination,
      'ce-knativeerrorcode': String(code),
    }),
  writes: asGoWrites,
  knowsFormats: false,
};

export const brokers: readonly BrokerOnTheWire[] = [overChannels, kafka, rabbitmq];
