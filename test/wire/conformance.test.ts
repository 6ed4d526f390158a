import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { CloudEventIn } from '../../shared/host/cloud-event.ts';
import { type HostUnderTest, hostUnderTest } from '../../shared/host/testing/host-under-test.ts';
import { createCluster } from '../functions/created-cluster.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { attackedFunction } from '../host/attacked-function.ts';
import { acceptedVectors, binary, encodedValues, refusedVectors, structured } from './conformance-vectors.ts';
import { exchangeWire } from './exchange-wire.ts';
import { replyOf } from './reply-of.ts';
import { asGoWrites, asVertxWrites, type WireRequest } from './wire-request.ts';

const type = 'com.example.someevent';
const subject = 'larger-context';
const event = { type, subject, data: { message: 'Hello World!' } };

describe('the host reads', () => {
  let host: HostUnderTest;
  let received: CloudEventIn | undefined;
  beforeAll(async () => {
    const handle = async (_context: unknown, given: CloudEventIn) => {
      received = given;
      return undefined;
    };
    host = await hostUnderTest({ routes: { '/': { name: 'status', accepts: { [type]: z.unknown() }, handle } } });
  });
  afterAll(() => host.close());

  /** What the host hands to a function; undefined where it refuses. */
  async function read(request: WireRequest, writes = asGoWrites): Promise<CloudEventIn | undefined> {
    received = undefined;
    const { status } = await exchangeWire(host.port, writes(request));
    expect(status).toBe(received === undefined ? 400 : 204);
    return received;
  }

  test.each(acceptedVectors(event))('$title', async ({ request, expected }) => {
    const whole = {
      id: 'C234-1234-1234',
      source: '/mycontext/subcontext',
      type,
      subject,
      time: '2026-04-05T17:31:00Z',
    };
    expect(await read(request)).toEqual({ ...whole, extensions: {}, data: event.data, ...expected });
    // The case of a header's name says nothing.
    expect(await read(request, asVertxWrites)).toEqual(await read(request));
  });

  test.each(encodedValues)('the header of an attribute with %s', async (_title, value, text) => {
    const heard = await read(binary(event, { 'ce-extra': value, 'ce-id': value }));
    expect(heard).toMatchObject({ id: text, extensions: { extra: text } });
  });

  test.each(refusedVectors(event))('nothing in $title', async ({ request }) => {
    expect(await read(request)).toBeUndefined();
  });
});

describe('a function as a process of its own', () => {
  const stage = stageOfFile();
  const upgrade = attackedFunction(stage, 'upgrade');
  const authorized = ({ headers, body }: WireRequest): WireRequest => ({
    headers: { ...headers, authorization: `Bearer ${stage().access.callerToken}` },
    body,
  });
  const send = (request: WireRequest) => exchangeWire(upgrade().port, asGoWrites(authorized(request)));

  /** A request that is always answered by the same rejection, and so without any call. */
  async function request() {
    const { magnum, uuid } = await createCluster(stage());
    const { data } = magnum.requestHealth();
    return { type: 'org.openstack.magnum.cluster.ca.rotate.v1', subject: uuid, data };
  }

  test('gives back id and partition key of a request as they were, in whatever encoding they came', async () => {
    const rotation = await request();
    for (const [title, value, text] of encodedValues) {
      const answer = await send(binary(rotation, { 'ce-id': value, 'ce-partitionkey': value }));
      const reply = replyOf(answer);
      expect(reply, title).toMatchObject({
        type: 'org.openstack.magnum.operation.rejected.v1',
        subject: rotation.subject,
      });
      expect(decodeURIComponent(String(answer.headers['ce-id'])), title).toBe(`${text}:reply`);
      expect(decodeURIComponent(String(answer.headers['ce-partitionkey'])), title).toBe(text);
    }
  });

  test('answers the same in both modes', async () => {
    const rotation = await request();
    const [one, other] = [replyOf(await send(binary(rotation))), replyOf(await send(structured(rotation)))];
    expect(one).toMatchObject({ id: 'C234-1234-1234:reply', data: { code: 'unsupported' } });
    expect({ ...other, time: '', traceparent: '' }).toEqual({ ...one, time: '', traceparent: '' });
  });

  test('refuses what is no event with 400 and one readable sentence, and calls nobody', async () => {
    const rotation = await request();
    // Who sends is looked up once.
    replyOf(await send(binary(rotation)));
    upgrade().takeCalls();
    for (const { title, request: refused } of refusedVectors(rotation)) {
      const answer = await send(refused);
      expect(answer.status, `${title}: ${answer.body}`).toBe(400);
      expect(answer.headers['content-type'], title).toBe('application/problem+json');
      expect(JSON.parse(answer.body), title).toEqual({
        code: 'invalid_event',
        message: expect.stringMatching(/^[A-Z].{10,}\.$/),
      });
    }
    expect(upgrade().takeCalls()).toEqual([]);
    expect(replyOf(await send(binary(rotation)))).toBeDefined();
  });
});
