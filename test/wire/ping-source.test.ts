import { describe, expect, test } from 'vitest';
import { ownStageOfFile } from '../functions/stage-of-file.ts';
import { exchangeWire } from './exchange-wire.ts';
import { inStructuredMode, pingRequest } from './ping-requests.ts';
import { replyOf } from './reply-of.ts';
import { resyncStage } from './resync-stage.ts';
import { asGoWrites, type WireRequest } from './wire-request.ts';

const stage = ownStageOfFile();
const stages = { status: resyncStage(stage, 'status'), health: resyncStage(stage, 'health') };

const json = { data: '{"message": "Hello world!"}', contentType: 'application/json' };
const text = { data: 'Hello world!', contentType: 'text/plain' };
const extensions = { extra: 'this is an extra attribute', additional: '42' };

/** Built from documentation, see ping-requests.ts. */
const shapes: readonly (readonly [string, WireRequest])[] = [
  ['of JSON', pingRequest(json)],
  ['of nothing', pingRequest()],
  ['of nothing, though it has a type', pingRequest({ contentType: 'application/json' })],
  ['of JSON without a type', pingRequest({ data: json.data })],
  ['of text', pingRequest(text)],
  ['of text without a type', pingRequest({ data: text.data })],
  ['of XML', pingRequest({ data: '<message>Hello world!</message>', contentType: 'application/xml' })],
  ['of JSON in base64', pingRequest({ ...json, data: Buffer.from(json.data) })],
  ['of bytes', pingRequest({ data: Buffer.from([0, 255, 128, 10]), contentType: 'application/octet-stream' })],
  ['of bytes without a type', pingRequest({ data: Buffer.from([0, 255, 128, 10]) })],
  ['with extensions of its own', pingRequest({ ...json, extensions })],
  ['of JSON in structured mode', inStructuredMode(pingRequest(json))],
  ['of JSON in structured mode and base64', inStructuredMode(pingRequest(json), 'data_base64')],
  ['of nothing in structured mode', inStructuredMode(pingRequest())],
  ['of text in structured mode', inStructuredMode(pingRequest(text))],
  ['of text in structured mode and base64', inStructuredMode(pingRequest(text), 'data_base64')],
];

describe.each(['status', 'health'] as const)('the %s function', (name) => {
  const report = `org.openstack.magnum.cluster.${name}.v1`;

  test.each(shapes)(
    'reports every cluster once at a ping of PingSource %s, built from documentation',
    async (_title, ping) => {
      stages[name]().takeReports();
      expect(replyOf(await exchangeWire(stages[name]().port, asGoWrites(ping)))).toBeUndefined();
      expect(stages[name]().takeReports()).toEqual([report]);
    },
  );

  test('takes pings that come at the same time together', async () => {
    stages[name]().takeReports();
    const pings = Array.from({ length: 10 }, () => exchangeWire(stages[name]().port, asGoWrites(pingRequest(json))));
    for (const answer of await Promise.all(pings)) expect(replyOf(answer)).toBeUndefined();
    const reports = stages[name]().takeReports();
    expect(new Set(reports)).toEqual(new Set([report]));
    // The first alone, and then one for all that came meanwhile.
    expect(reports.length).toBeLessThanOrEqual(3);
  });
});
