import { afterEach, describe, expect, test } from 'vitest';
import { createEvent } from '../functions/create-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { attackedFunction } from './attacked-function.ts';
import { mostMemoryDuring, residentMemory } from './process-memory.ts';
import { exchangeRaw, openRaw, type RawConnection, statusesOf } from './raw-client.ts';

/** MiB that a pod may have (knative/base/create/service.yaml). */
const memoryLimit = 256;
const idleConnections = 10_000;
const probe = 'GET /health/liveness HTTP/1.1\r\nhost: x\r\n\r\n';
const head = (...more: string[]) =>
  [
    'POST / HTTP/1.1',
    'host: x',
    'ce-specversion: 1.0',
    'ce-id: flood',
    'ce-source: /hostile',
    'ce-type: org.openstack.magnum.cluster.create.v1',
    'ce-subject: a3f0b1c2-0000-4000-8000-00000000dead',
    'ce-time: 2026-11-30T10:00:00Z',
    'content-type: application/json',
    ...more,
    '',
    '',
  ].join('\r\n');

const stage = stageOfFile();
const attacked = attackedFunction(stage, 'create');
const token = () => `authorization: Bearer ${stage().access.callerToken}`;

afterEach(async () => {
  const answer = await stage().send(await createEvent(stage().cloud), attacked().process.url);
  expect(answer, 'the next request of the conductor').toMatchObject({ status: 200 });
});

async function openMany(count: number, first: string | Buffer): Promise<RawConnection[]> {
  const opened: RawConnection[] = [];
  for (let left = count; left > 0; left -= 200) {
    const some = await Promise.all(Array.from({ length: Math.min(left, 200) }, () => openRaw(attacked().port)));
    for (const { socket } of some) socket.write(first);
    opened.push(...some);
  }
  return opened;
}

function closeAll(connections: readonly RawConnection[]): void {
  for (const { socket } of connections) socket.destroy();
}

/** MiB that a process may keep of what came and went. */
const growth = 64;

describe('a function', () => {
  test('holds bodies that come byte by byte in the memory of their bytes', async () => {
    const { pid } = attacked().process;
    const start = Buffer.from(head(token(), 'transfer-encoding: chunked'));
    const dripping = await openMany(5, Buffer.concat([start, Buffer.from('1\r\n[\r\n'.repeat(900_000))]));
    const sent = dripping.map(({ socket }) => new Promise<void>((done) => socket.write('1\r\n[\r\n', () => done())));
    const most = await mostMemoryDuring(pid, Promise.all(sent));
    closeAll(dripping);
    expect(most).toBeLessThan(memoryLimit);
  });

  test('forgets thousands of requests that were refused or broke off', async () => {
    const { pid } = attacked().process;
    const before = await residentMemory(pid);
    attacked().takeCalls();
    const cut = (bytes: string) => async () => {
      const connections = await openMany(500, bytes);
      for (const { socket } of connections) socket.resetAndDestroy();
    };
    const refused = async () => {
      const answered = await openMany(500, `${head('connection: close', 'content-length: 0')}`);
      const received = await Promise.all(answered.map((connection) => connection.closed()));
      for (const each of received) expect(statusesOf(each)).toEqual([401]);
    };
    for (let round = 0; round < 3; round += 1) {
      for (const attack of [
        cut('POST / HT'),
        cut(head('content-length: 100')),
        cut(`${head(token(), 'content-length: 100')}{`),
      ]) {
        await attack();
      }
      await refused();
    }
    const inFlight = () =>
      exchangeRaw(attacked().port, 'GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
    await expect.poll(inFlight, { timeout: 30_000 }).toContain('events_in_flight 0');
    expect((await residentMemory(pid)) - before).toBeLessThan(growth);
    // The conductor's own token is checked, and that once.
    expect(attacked().takeCalls().length).toBeLessThanOrEqual(2);
  });

  test('closes connections whose requests never come whole, and answers others meanwhile', async () => {
    const slow = await openMany(1000, 'POST / HTTP/1.1\r\nhost: x\r\nce-id: ');
    const slower = await openMany(200, `${head(token(), 'content-length: 100')}{`);
    const dripping = setInterval(() => {
      for (const { socket } of [...slow, ...slower]) if (socket.writable) socket.write(' ');
    }, 1000);
    const started = performance.now();
    const answer = await stage().send(await createEvent(stage().cloud), attacked().process.url);
    expect(answer).toMatchObject({ status: 200 });
    expect(performance.now() - started).toBeLessThan(30_000);
    for (const received of await Promise.all([...slow, ...slower].map((connection) => connection.closed()))) {
      // What is still sent meanwhile can take the answer with it.
      expect(received).toMatch(/^(HTTP\/1\.1 408 |$)/);
    }
    clearInterval(dripping);
  });

  test('answers while 10,000 connections are idle, and fits into its memory with them', async () => {
    const idle = await openMany(idleConnections, probe);
    const answered = () => idle.filter(({ received }) => received().startsWith('HTTP/1.1 200')).length;
    await expect.poll(answered, { timeout: 60_000 }).toBe(idleConnections);
    expect(await residentMemory(attacked().process.pid)).toBeLessThan(memoryLimit);
    const answer = await stage().send(await createEvent(stage().cloud), attacked().process.url);
    expect(answer).toMatchObject({ status: 200 });
    closeAll(idle);
  });
});
