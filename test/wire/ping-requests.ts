import { randomUUID } from 'node:crypto';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { WireRequest } from './wire-request.ts';

/** What a PingSource's manifest says of the events. */
export interface PingSpec {
  /** Text, or bytes where the manifest says `dataBase64`. @default no data */
  readonly data?: string | Buffer;
  /** @default none; counts only where there is data */
  readonly contentType?: string;
  /** `ceOverrides.extensions`. */
  readonly extensions?: Readonly<Record<string, string>>;
}

/**
 * Built from documentation: https://knative.dev/docs/eventing/sources/ping-source/ and its reference; and from
 * https://github.com/knative/eventing/blob/main/pkg/adapter/mtping/runner.go (eventing 1.22) for when there is a type.
 */
export function pingRequest({ data, contentType, extensions = {} }: PingSpec = {}): WireRequest {
  const attributes = Object.entries(extensions).map(([name, value]) => [`ce-${name}`, value]);
  return {
    headers: {
      'user-agent': 'Go-http-client/1.1',
      'ce-id': randomUUID(),
      'ce-source': `/apis/v1/namespaces/${namespace}/pingsources/magnum-resync`,
      'ce-specversion': '1.0',
      'ce-time': new Date().toISOString().replace('Z', '508332Z'),
      'ce-type': 'dev.knative.sources.ping',
      ...Object.fromEntries(attributes),
      ...(data === undefined || contentType === undefined ? {} : { 'content-type': contentType }),
    },
    body: data ?? '',
  };
}

/**
 * The request of an event in structured mode, into which a Trigger with `delivery.format: json` turns it
 * (https://knative.dev/docs/eventing/event-delivery/). Go's SDK writes bytes that are no JSON as text, or in base64.
 */
export function inStructuredMode({ headers, body }: WireRequest, dataAs: 'data' | 'data_base64' = 'data'): WireRequest {
  const isAttribute = (name: string) => name.startsWith('ce-');
  const attributes = Object.entries(headers).filter(([name]) => isAttribute(name));
  const others = Object.entries(headers).filter(([name]) => !isAttribute(name) && name !== 'content-type');
  const { 'content-type': datacontenttype = 'application/json' } = headers;
  const bytes = Buffer.from(body);
  const value =
    /json$/.test(datacontenttype) && dataAs === 'data' ? JSON.parse(bytes.toString() || 'null') : bytes.toString();
  const data = dataAs === 'data' ? value : bytes.toString('base64');
  return {
    headers: { ...Object.fromEntries(others), 'content-type': 'application/cloudevents+json' },
    body: JSON.stringify({
      ...Object.fromEntries(attributes.map(([name, text]) => [name.slice(3), text])),
      ...(bytes.byteLength === 0 ? {} : { datacontenttype, [dataAs]: data }),
    }),
  };
}
