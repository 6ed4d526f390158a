import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { EventFunction, FunctionContext } from './event-function.ts';
import {
  answerTo,
  type HostUnderTest,
  hostUnderTest,
  requestData,
  requestHeaders,
  requestType,
} from './testing/host-under-test.ts';

let host: HostUnderTest;
afterEach(() => host.close());

/** A function that waits until it is told to go on. */
function waiting() {
  const started = Promise.withResolvers<FunctionContext>();
  const proceed = Promise.withResolvers<void>();
  const target: EventFunction = {
    name: 'create',
    accepts: { [requestType]: z.unknown() },
    async handle(context) {
      started.resolve(context);
      await proceed.promise;
      return { type: 'done', data: null };
    },
  };
  return { routes: { '/': target }, started: started.promise, proceed: proceed.resolve };
}

describe('closing', () => {
  test('lets an event under way end, refuses new ones, and says so to the readiness probe', async () => {
    const { routes, started, proceed } = waiting();
    host = await hostUnderTest({ routes, stopDelay: 300 });
    const agent = new Agent({ keepAlive: true });
    const first = host.send({ agent, headers: requestHeaders, body: JSON.stringify(requestData) });
    await started;
    const closed = host.close();
    expect(await host.send({ method: 'GET', path: '/health/readiness' })).toMatchObject({ status: 503 });
    expect(await host.send({ method: 'GET', path: '/health/liveness' })).toMatchObject({ status: 200 });
    const refused = await host.invoke({ 'ce-id': 'late' });
    expect(refused).toMatchObject({ status: 503, headers: { 'retry-after': '1', connection: 'close' } });
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'stopping' });
    proceed();
    expect(await first).toMatchObject({ status: 200, headers: { connection: 'close' } });
    await closed;
    await expect(host.invoke()).rejects.toThrow('ECONNREFUSED');
  });

  test('delivers the answer of an event that ends after the port is gone', async () => {
    const { routes, started, proceed } = waiting();
    host = await hostUnderTest({ routes });
    const first = host.invoke();
    await started;
    const closed = host.close();
    await expect.poll(() => host.invoke().catch((error) => error.code), { timeout: 20_000 }).toBe('ECONNREFUSED');
    proceed();
    expect(await first).toMatchObject({ status: 200 });
    await closed;
  });

  test('aborts what does not end in time, and answers it', async () => {
    const { routes, started } = waiting();
    host = await hostUnderTest({ routes, drainTime: 50 });
    const first = host.invoke();
    const { signal } = await started;
    expect(signal.aborted).toBe(false);
    const closed = host.close();
    expect(await first).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
    expect(signal.aborted).toBe(true);
    await closed;
  }, 10_000);

  test('waits for a function that still tidies up after the abort', async () => {
    const steps: string[] = [];
    const { promise: started, resolve: start } = Promise.withResolvers<void>();
    const target: EventFunction = {
      name: 'create',
      accepts: { [requestType]: z.unknown() },
      async handle({ signal }) {
        start();
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        await new Promise((resolve) => setTimeout(resolve, 50));
        steps.push('released');
        throw signal.reason;
      },
    };
    host = await hostUnderTest({ routes: { '/': target }, drainTime: 0 });
    const first = host.invoke();
    await started;
    await host.close();
    expect(steps).toEqual(['released']);
    expect(await first).toMatchObject({ status: 503 });
  });

  test('closes connections that are idle, new or in the middle of a request', async () => {
    host = await hostUnderTest({ drainTime: 50 });
    const agent = new Agent({ keepAlive: true });
    const outgoing = request({ port: host.port, host: '127.0.0.1', method: 'POST', agent, headers: requestHeaders });
    outgoing.end(JSON.stringify(requestData));
    await answerTo(outgoing);
    const silent = connect(host.port, '127.0.0.1');
    const halfway = connect(host.port, '127.0.0.1', () => halfway.write('POST / HTTP/1.1\r\nhost: x\r\n'));
    const gone = Promise.all([silent, halfway].map((socket) => new Promise((resolve) => socket.on('close', resolve))));
    for (const socket of [silent, halfway]) socket.on('error', () => undefined).resume();
    await host.close();
    await gone;
    agent.destroy();
  }, 10_000);

  test('twice is closing once', async () => {
    host = await hostUnderTest();
    expect(host.close()).toBe(host.close());
  });
});

test('a port that is taken is an error', async () => {
  host = await hostUnderTest();
  await expect(hostUnderTest({ port: host.port })).rejects.toThrow('EADDRINUSE');
});
