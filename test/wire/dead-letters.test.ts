import { describe, expect, test } from 'vitest';
import { deadLettersStageOfFile } from '../dead-letters/dead-letters-stage.ts';
import { waitFor } from '../env/wait-for.ts';
import { type BrokerOnTheWire, brokers } from './broker-deliveries.ts';
import { exchangeWire } from './exchange-wire.ts';
import { inStructuredMode } from './ping-requests.ts';
import { replyOf } from './reply-of.ts';
import { sourceRequest } from './source-requests.ts';
import type { WireRequest } from './wire-request.ts';

const stage = deadLettersStageOfFile();

const said = '{"code":"busy","message":"Another operation of the cluster is under way."}';
const failure = { destination: 'http://magnum-status.magnum-system.svc.cluster.local', code: 429, body: said };

/** A change, whose source tells it from those of other tests. */
function change(source: string): WireRequest {
  const object = { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', plural: 'clusters', name: 'kube-zzzzz' };
  const { headers, body } = sourceRequest({ change: 'update', ...object });
  return { headers: { ...headers, 'ce-source': source }, body };
}

describe.each(brokers)('a dead letter of $name, built from documentation,', (broker: BrokerOnTheWire) => {
  const letterOf = async (request: WireRequest, source: string) => {
    const { url } = await stage().start();
    const port = Number(new URL(url).port);
    // Other tests empty the box meanwhile; the same letter again is the same.
    return waitFor(
      async () => {
        expect(replyOf(await exchangeWire(port, broker.writes(request)))).toBeUndefined();
        const [letter, ...others] = await stage().letters(source);
        expect(others).toEqual([]);
        expect(letter).toBeDefined();
        return letter;
      },
      { what: 'the letter' },
    );
  };
  const source = `/wire/${broker.name.replaceAll(' ', '-')}`;

  test('is kept with where it could not go, and without what the broker added', async () => {
    const event = change(source);
    const letter = await letterOf(broker.givesUp(event, failure), source);
    const isTold = broker.givesUp(event, failure).headers['ce-knativeerrordata'] !== undefined;
    expect(letter).toMatchObject({
      isWhole: true,
      destination: failure.destination,
      code: '429',
      reason: isTold ? said : '',
      event: { kind: 'Cluster', name: 'kube-zzzzz', id: event.headers['ce-id'], data: JSON.parse(String(event.body)) },
    });
    expect(Object.keys(letter?.event ?? {}).filter((name) => name.startsWith('knative'))).toEqual([]);
  });

  test.runIf(broker.knowsFormats)('is kept in structured mode as well', async () => {
    const structured = `${source}/structured`;
    const letter = await letterOf(inStructuredMode(broker.givesUp(change(structured), failure)), structured);
    expect(letter).toMatchObject({ isWhole: true, destination: failure.destination, code: '429', reason: said });
  });
});
