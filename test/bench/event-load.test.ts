import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { EventLoad } from './event-load.ts';
import { changeOf } from './post-change.ts';

const event = changeOf(resources.cluster, 'kube-abcde');

/** A function that answers with a status; tells which connections it was asked over, and by which headers. */
async function startFunction(status: number) {
  const seen: { readonly port: number | undefined; readonly type: unknown }[] = [];
  const server = createServer((request, response) => {
    request.resume();
    seen.push({ port: request.socket.remotePort, type: request.headers['ce-type'] });
    response.writeHead(status).end();
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
