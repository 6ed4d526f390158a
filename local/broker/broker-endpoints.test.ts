import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { InvalidEventError } from '../../shared/contract/errors.ts';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { brokerEndpoints } from './broker-endpoints.ts';
import { DeadLetters } from './dead-letters.ts';

const headers = { 'ce-specversion': '1.0', 'ce-id': 'e-1', 'ce-source': '/s', 'ce-type': 't' };
const json = { 'content-type': 'application/json' };

let deadLetters: DeadLetters;
let accepted: CarriedEvent[];
let url: string;
let close: () => void;
beforeEach(async () => {
  deadLetters = new DeadLetters();
  accepted = [];
  const accept = (event: CarriedEvent) => {
    if (event.attributes['type'] === 'tired') throw new InvalidEventError('Too often.');
    accepted.push(event);
  };
  const server = createServer(
    brokerEndpoints({ accept, deadLetters }, (_request, response) => response.writeHead(418).end()),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => server.close().closeAllConnections();
});
afterEach(() => close());

test('an event is accepted before it is answered', async () => {
  const answer = await fetch(`${url}/broker`, { method: 'POST', headers: { ...headers, ...json }, body: '{"a":1}' });
  expect(answer.status).toBe(202);
  expect(accepted).toMatchObject([{ attributes: { id: 'e-1' }, body: Buffer.from('{"a":1}') }]);
});

test.each([
  ['what is no event', { ...json }, 400],
  ['an event that the broker refuses', { ...headers, 'ce-type': 'tired' }, 400],
])('%s is answered with %j', async (_title, given, status) => {
  expect((await fetch(`${url}/broker`, { method: 'POST', headers: given, body: '' })).status).toBe(status);
  expect(accepted).toEqual([]);
});

test('more than a mebibyte is refused', async () => {
  const body = 'x'.repeat(1024 * 1024 + 1);
  expect((await fetch(`${url}/broker`, { method: 'POST', headers: { ...headers, ...json }, body })).status).toBe(413);
});

test.each([
  ['GET', '/broker', 405],
  ['POST', '/dead-letters', 405],
  ['POST', '/status', 418],
  ['GET', '/', 418],
])('%s %s gives %d', async (method, path, status) => {
  expect((await fetch(`${url}${path}`, { method })).status).toBe(status);
});

test('dead letters are shown in the JSON format of events, whatever their data is', async () => {
  for (const body of ['{"a":1}', 'no json']) {
    const event = { attributes: { id: body }, contentType: 'application/json', body: Buffer.from(body) };
    deadLetters.add(event, { destination: 'http://d/', status: 503, data: '' });
  }
  const answer = await fetch(`${url}/dead-letters`);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(await answer.json()).toMatchObject([
    { id: '{"a":1}', knativeerrordest: 'http://d/', knativeerrorcode: '503', data: { a: 1 } },
    { id: 'no json', data_base64: Buffer.from('no json').toString('base64') },
  ]);
});
