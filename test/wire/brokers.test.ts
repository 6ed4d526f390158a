import { describe, expect, test } from 'vitest';
import { createCluster } from '../functions/created-cluster.ts';
import { ownStageOfFile } from '../functions/stage-of-file.ts';
import { type BrokerOnTheWire, brokers } from './broker-deliveries.ts';
import { exchangeWire } from './exchange-wire.ts';
import { inStructuredMode, pingRequest } from './ping-requests.ts';
import { replyOf } from './reply-of.ts';
import { resyncStage } from './resync-stage.ts';
import { requestsOfLife } from './source-requests.ts';
import type { WireRequest } from './wire-request.ts';

const stage = ownStageOfFile();
const stages = { status: resyncStage(stage, 'status'), health: resyncStage(stage, 'health') };

const deliveries = brokers.flatMap((broker) =>
  (['status', 'health'] as const).map((name) => [broker.name, name, broker] as const),
);

describe.each(deliveries)(
  'from %s, built from documentation, the %s function',
  (_broker, name, broker: BrokerOnTheWire) => {
    const send = async (delivered: WireRequest) =>
      replyOf(await exchangeWire(stages[name]().port, broker.writes(delivered)));
    const deliver = (event: WireRequest) => send(broker.delivers(event));
    const ping = () => pingRequest({ data: '{}', contentType: 'application/json' });

    test('takes a change, and answers with a reply that the broker takes', async () => {
      const { uuid, stackId } = await createCluster(stage());
      const [change] = requestsOfLife(stackId);
      if (change === undefined) throw new Error('There is no request.');
      const reply = await deliver(change);
      expect(reply).toMatchObject({
        type: `org.openstack.magnum.cluster.${name}.v1`,
        id: `${change.headers['ce-id']}:reply`,
        source: `/functions/${name}`,
        subject: uuid,
        partitionkey: uuid,
        data: { cluster_uuid: uuid, stack_id: stackId },
      });
      // The trace goes on, in the extension that brokers carry.
      if (reply?.['traceparent'] !== undefined) {
        expect(reply['traceparent']).toMatch(/^00-4bf92f3577b34da6a3ce929d0e0e4736-[0-9a-f]{16}-0[01]$/);
      }
    });

    test('takes a change that says nothing new, and answers with nothing', async () => {
      const [change] = requestsOfLife('kube-zzzzz');
      if (change === undefined) throw new Error('There is no request.');
      expect(await deliver(change)).toBeUndefined();
    });

    test.each([
      ['', ping()],
      [' without data', pingRequest()],
    ])('takes a ping%s, reports every cluster once, and answers with nothing', async (_title, event) => {
      stages[name]().takeReports();
      expect(await deliver(event)).toBeUndefined();
      expect(stages[name]().takeReports()).toEqual([`org.openstack.magnum.cluster.${name}.v1`]);
    });

    test.runIf(broker.knowsFormats)('takes a ping in structured mode', async () => {
      stages[name]().takeReports();
      expect(await send(inStructuredMode(broker.delivers(ping())))).toBeUndefined();
      expect(stages[name]().takeReports()).toEqual([`org.openstack.magnum.cluster.${name}.v1`]);
    });

    test('takes the token of a broker with OIDC, which nobody looks at while the network decides', async () => {
      const { headers, body } = ping();
      const authorization = 'Bearer eyJhbGciOiJSUzI1NiJ9.eyJhdWQiOiJ4In0.c2lnbmF0dXJl';
      expect(await deliver({ headers: { ...headers, authorization }, body })).toBeUndefined();
    });
  },
);
