import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { CloudEventIn } from './cloud-event.ts';
import type { EventFunction } from './event-function.ts';
import { type HostUnderTest, hostUnderTest } from './testing/host-under-test.ts';

let host: HostUnderTest;
afterEach(() => host.close());

/** Headers as Knative eventing 1.22 sends them. */
const fromSource = {
  'user-agent': 'Go-http-client/1.1',
  'accept-encoding': 'gzip',
  'ce-specversion': '1.0',
  'ce-time': '2026-11-29T16:38:45.966441627Z',
  'content-type': 'application/json',
  'kn-namespace': 'magnum-functions',
};

const cluster = {
  ...fromSource,
  'ce-apiversion': 'cluster.x-k8s.io/v1beta2',
  'ce-id': '0ce0c8d6-07fc-4421-af08-76334a4286ee',
  'ce-kind': 'Cluster',
  'ce-name': 'kube-abcde',
  'ce-namespace': 'magnum-system',
  'ce-source': 'https://10.96.0.1:443',
  'ce-subject': '/apis/cluster.x-k8s.io/v1beta2/namespaces/magnum-system/clusters/kube-abcde',
  'ce-type': 'dev.knative.apiserver.ref.update',
};

/** After a broker: its own extension, tracing, and a wish for a reply. */
const throughBroker = {
  ...cluster,
  'ce-knativearrivaltime': '2026-11-29T16:38:45.99Z',
  'ce-traceparent': '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  prefer: 'reply',
};

const clusterScoped = {
  ...cluster,
  'ce-kind': 'Namespace',
  'ce-namespace': '',
  'ce-subject': '/apis/v1/namespaces//namespaces/x',
};

const ping = {
  ...fromSource,
  'ce-id': '3a1f7b1e-52b2-4b1e-a7a1-0f2b9f5b8c11',
  'ce-source': '/apis/v1/namespaces/magnum-system/pingsources/resync',
  'ce-type': 'dev.knative.sources.ping',
};

const { 'content-type': _none, ...pingWithoutData } = ping;

describe('a function takes from Knative', () => {
  test.each([
    [
      'a change that ApiServerSource reports',
      cluster,
      '{"kind":"Cluster","name":"kube-abcde"}',
      { namespace: 'magnum-system' },
    ],
    [
      'the same through a broker',
      throughBroker,
      '{"kind":"Cluster"}',
      { knativearrivaltime: '2026-11-29T16:38:45.99Z' },
    ],
    ['a change of an object without namespace', clusterScoped, '{"kind":"Namespace"}', { namespace: '' }],
    ['a ping', ping, '{"resync":true}', {}],
    ['a ping without data', pingWithoutData, '', {}],
    ['a ping of a text', { ...ping, 'content-type': 'text/plain' }, 'Wake up!', {}],
    ['a ping of XML', { ...ping, 'content-type': 'application/xml; charset=utf-8' }, '<wake/>', {}],
    ['a ping of a text whose type its manifest leaves out', pingWithoutData, 'Wake up!', {}],
  ])('%s', async (_title, headers, body, extensions) => {
    let received: CloudEventIn | undefined;
    const status: EventFunction = {
      name: 'status',
      accepts: { [cluster['ce-type']]: z.unknown(), [ping['ce-type']]: z.unknown() },
      unread: [ping['ce-type']],
      async handle(_context, event) {
        received = event;
        return undefined;
      },
    };
    host = await hostUnderTest({ routes: { '/': status } });
    expect(await host.send({ headers, body })).toMatchObject({ status: 204 });
    expect(received).toMatchObject({ id: headers['ce-id'], time: headers['ce-time'], extensions });
    const isPing = headers['ce-type'] === ping['ce-type'];
    expect(received?.data).toEqual(isPing ? undefined : JSON.parse(body));
  });
});
