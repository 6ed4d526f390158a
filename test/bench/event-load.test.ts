import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { EventLoad } from './event-load.ts';
import { changeOf } from './post-change.ts';

const event = changeOf(resources.cluster, 'kube-abcde');

interface Behaviour {
  /** Requests that a connection is good for; it closes under the next one. @default any number */
  readonly requestsOfConnection?: number;
}

/** A function that answers with a status; tells which connections it was asked over, and by which headers. */
async function startFunction(status: number, { requestsOfConnection = Number.POSITIVE_INFINITY }: Behaviour = {}) {
  const seen: { readonly port: number | undefined; readonly type: unknown }[] = [];
  const server = createServer((request, response) => {
    const { remotePort } = request.socket;
    if (seen.filter(({ port }) => port === remotePort).length >= requestsOfConnection) return request.socket.destroy();
    request.resume();
    seen.push({ port: remotePort, type: request.headers['ce-type'] });
    return response.writeHead(status).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const load = new EventLoad(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  onTestFinished(() => {
    load.close();
    server.close();
  });
  return { load, seen };
}

test('events go over a connection that stays open, as a broker sends them', async () => {
  const { load, seen } = await startFunction(204);
  expect((await load.send(event)).latency).toBeGreaterThan(0);
  await load.send(event);
  expect(new Set(seen.map(({ port }) => port)).size).toBe(1);
  expect(seen.map(({ type }) => type)).toEqual(Array(2).fill('dev.knative.apiserver.ref.update'));
});

test('an answer that is no success ends the measurement', async () => {
  const { load } = await startFunction(503);
  await expect(load.send(event)).rejects.toThrow('answered 503');
});

test('an event whose connection closes just then goes over another one', async () => {
  const { load, seen } = await startFunction(204, { requestsOfConnection: 1 });
  await load.send(event);
  expect((await load.send(event)).status).toBe(204);
  expect(new Set(seen.map(({ port }) => port)).size).toBe(2);
});

test('an event that no connection carries ends the measurement', async () => {
  const { load } = await startFunction(204, { requestsOfConnection: 0 });
  await expect(load.send(event)).rejects.toMatchObject({ code: 'ECONNRESET' });
});

test('an event that came too slowly is sent again', async () => {
  const { load, seen } = await startFunction(408);
  await expect(load.send(event)).rejects.toThrow('answered 408');
  expect(seen).toHaveLength(5);
});
