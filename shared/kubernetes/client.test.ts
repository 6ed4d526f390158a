import { afterEach, describe, expect, it } from 'vitest';
import type { KubernetesClientOptions, ObservedRequest } from './caller.ts';
import { createKubernetesClient, type KubernetesClient } from './client.ts';
import type { KubernetesConnection } from './connection.ts';
import { resources } from './resources.ts';
import { type InstantClock, instantClock } from './testing/instant-clock.ts';
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';

const lease = { namespace: 'magnum-system', name: 'x' };
const object = { metadata: lease };

let close: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(close.map((end) => end()));
  close = [];
});

interface Setup {
  readonly answers?: readonly ScriptedAnswer[];
  readonly connection?: Partial<KubernetesConnection>;
  readonly options?: KubernetesClientOptions;
  readonly onSleep?: () => Promise<void>;
}

async function setUp({ answers = [], connection, options, onSleep }: Setup = {}) {
  const server = await startScriptedServer({ answers });
  const clock = instantClock(onSleep);
  const client = createKubernetesClient({ server: server.url, ...connection }, { clock, ...options });
  close.push(async () => {
    client.close();
    await server.close();
  });
  return { server, clock, client };
}

type Call = (client: KubernetesClient) => Promise<unknown>;

const get: Call = (client) => client.get(resources.lease, lease);
const create: Call = (client) => client.create(resources.lease, object);
const createRepeatable: Call = (client) => client.create(resources.lease, object, { repeatable: true });
const apply: Call = (client) => client.apply(resources.lease, object);
const patch: Call = (client) => client.patch(resources.lease, lease, { operations: [] });
const deletion: Call = (client) => client.delete(resources.lease, lease);
const guardedDeletion: Call = (client) => client.delete(resources.lease, lease, { uid: '1' });

const repeatable = { get, createRepeatable, apply, guardedDeletion };
const once = { create, patch, deletion };
const every = { ...repeatable, ...once };

const unavailable: ScriptedAnswer = { status: 503, body: { message: 'etcd has no leader' } };

describe('a call whose repetition does no harm', () => {
  it.each(Object.entries(repeatable))('%s is sent again after a 503 and after a lost connection', async (_, call) => {
    const { client, server } = await setUp({ answers: [unavailable, 'drop', { status: 200, body: { metadata: {} } }] });
    await call(client);
    expect(server.requests).toHaveLength(3);
  });

  it('is given up after six attempts with what the API server said', async () => {
    const { client, server, clock } = await setUp({ answers: Array(7).fill(unavailable) });
    await expect(get(client)).rejects.toMatchObject({
      name: 'UnavailableError',
      status: 503,
      message: 'Cannot get Lease magnum-system/x: etcd has no leader',
    });
    expect(server.requests).toHaveLength(6);
    expect(clock.sleeps).toHaveLength(5);
  });

  it('is sent again when the answer breaks off', async () => {
    const { client, server } = await setUp({ answers: [{ status: 200, body: '{"metadata":', cut: true }] });
    await get(client);
    expect(server.requests).toHaveLength(2);
  });

  it('is sent again when no answer comes within the time limit of an attempt', async () => {
    const { client, server } = await setUp({ answers: ['hang'], options: { timeoutMs: 50 } });
    await get(client);
    expect(server.requests).toHaveLength(2);
  });
});

describe('a write that must not happen twice', () => {
  it.each(Object.entries(once))('%s is not sent again after a 503', async (_, call) => {
    const { client, server } = await setUp({ answers: [unavailable] });
    await expect(call(client)).rejects.toThrow('etcd has no leader');
    expect(server.requests).toHaveLength(1);
  });

  it.each(Object.entries(once))('%s is not sent again when the connection is lost after sending', async (_, call) => {
    const { client, server } = await setUp({ answers: ['drop'] });
    await expect(call(client)).rejects.toMatchObject({ name: 'UnavailableError' });
    expect(server.requests).toHaveLength(1);
  });

  it.each(Object.entries(once))('%s is not sent again when no answer comes in time', async (_, call) => {
    const { client, server } = await setUp({ answers: ['hang'], options: { timeoutMs: 50 } });
    await expect(call(client)).rejects.toThrow('no answer within 50 ms');
    expect(server.requests).toHaveLength(1);
  });
});

describe('every call', () => {
  it.each(Object.entries(every))('%s is sent again after a 429, after the time that it names', async (_, call) => {
    const { client, server, clock } = await setUp({ answers: [{ status: 429, headers: { 'retry-after': '3' } }] });
    await call(client);
    expect(server.requests).toHaveLength(2);
    expect(clock.sleeps).toEqual([3_000]);
  });

  it.each(Object.entries(every))('%s is sent again when the connection was refused', async (_, call) => {
    const first = await startScriptedServer();
    await first.close();
    let server: ScriptedServer | undefined;
    const onSleep = async () => {
      server ??= await startScriptedServer({ port: first.port });
    };
    const { client } = await setUp({ connection: { server: first.url }, onSleep });
    await call(client);
    expect(server?.requests).toHaveLength(1);
    await server?.close();
  });

  it.each(Object.entries(every))('%s goes over a new connection when the kept one was closed', async (_, call) => {
    const { client, server } = await setUp();
    await get(client);
    server.dropConnections();
    await new Promise(setImmediate);
    await call(client);
    expect(server.requests).toHaveLength(2);
    expect(server.connections()).toBe(2);
  });

  it('is left to the sender when the API server asks to wait longer than an event is held', async () => {
    const { client, clock } = await setUp({ answers: [{ status: 429, headers: { 'retry-after': '60' } }] });
    await expect(get(client)).rejects.toMatchObject({ name: 'UnavailableError', status: 503, retryAfter: 60 });
    expect(clock.sleeps).toEqual([]);
  });

  it('ends at the deadline of all attempts', async () => {
    const answers: ScriptedAnswer[] = Array(7).fill({ status: 503, headers: { 'retry-after': '4' } });
    const { client, server } = await setUp({ answers, options: { deadlineMs: 10_000 } });
    await expect(get(client)).rejects.toMatchObject({ name: 'UnavailableError' });
    expect(server.requests).toHaveLength(3);
  });

  it('ends with the reason of its signal, also between attempts', async () => {
    const stop = new AbortController();
    const onSleep = async () => stop.abort(new Error('the host is stopping'));
    const { client, server } = await setUp({ answers: [unavailable], onSleep });
    await expect(client.get(resources.lease, lease, { signal: stop.signal })).rejects.toThrow('the host is stopping');
    expect(server.requests).toHaveLength(1);
  });

  it('ends with the reason of its signal during an attempt', async () => {
    const { client } = await setUp({ answers: ['hang'] });
    const signal = AbortSignal.timeout(50);
    await expect(client.get(resources.lease, lease, { signal })).rejects.toMatchObject({ name: 'TimeoutError' });
  });

  it('shares one kept connection', async () => {
    const { client, server } = await setUp();
    for (let count = 0; count < 5; count++) await get(client);
    expect(server.connections()).toBe(1);
  });

  it.each(['<html>', '', 'null', '"x"'])('fails in one sentence when a proxy answers 200 with %j', async (body) => {
    const { client } = await setUp({ answers: [{ status: 200, body }] });
    await expect(get(client)).rejects.toMatchObject({
      name: 'UnavailableError',
      message: 'Cannot get Lease magnum-system/x: the answer is not from a Kubernetes API server',
    });
  });
});

describe('the bearer token', () => {
  it('is asked for before each call and once more after a 401', async () => {
    const tokens = ['first', 'second', 'third'];
    const rejected: (string | undefined)[] = [];
    const token = async (refused?: string) => {
      rejected.push(refused);
      return tokens.shift() ?? '';
    };
    const { client, server } = await setUp({ answers: [{ status: 401 }], connection: { token } });
    await create(client);
    await create(client);
    const sent = server.requests.map((request) => request.headers.authorization);
    expect(sent).toEqual(['Bearer first', 'Bearer second', 'Bearer third']);
    expect(rejected).toEqual([undefined, 'first', undefined]);
  });

  it('is not tried twice when there is no other', async () => {
    const { client, server } = await setUp({ answers: [{ status: 401 }], connection: { token: async () => 'only' } });
    await expect(get(client)).rejects.toMatchObject({ name: 'ForbiddenError', apiStatus: 401 });
    expect(server.requests).toHaveLength(1);
  });

  it('gives one sentence, without the token, when it cannot be had', async () => {
    const token = async () => Promise.reject(new Error('no such file'));
    const { client, server } = await setUp({ connection: { token } });
    await expect(get(client)).rejects.toMatchObject({
      name: 'UnavailableError',
      message: 'Cannot get Lease magnum-system/x: there is no token: no such file',
    });
    expect(server.requests).toHaveLength(0);
  });
});

describe('observers', () => {
  it('are told of each attempt, of one view of the client as well as of all', async () => {
    const all: ObservedRequest[] = [];
    const some: ObservedRequest[] = [];
    const { client, server } = await setUp({
      answers: [unavailable, { status: 200 }, 'drop'],
      options: { onRequest: (request) => all.push(request) },
    });
    const view = client.observedBy((request) => some.push(request));
    await get(view);
    await expect(create(client)).rejects.toThrow();
    expect(some.map((request) => request.status)).toEqual([503, 200]);
    expect(all.map((request) => request.status)).toEqual([503, 200, undefined]);
    expect(all[0]).toMatchObject({ verb: 'get', resource: 'leases', name: 'x' });
    expect(server.connections()).toBe(1);
  });
});

describe('requests', () => {
  it('carry the manager of the fields, strict validation and what the object is', async () => {
    const { client, server } = await setUp();
    await client.apply(resources.secret, { metadata: lease, data: { key: 'w6Q=' } }, { force: true });
    const [request] = server.requests;
    const { pathname, searchParams } = new URL(request?.path ?? '', server.url);
    expect(pathname).toBe('/api/v1/namespaces/magnum-system/secrets/x');
    expect(Object.fromEntries(searchParams)).toEqual({
      fieldManager: 'magnum-capi-functions',
      fieldValidation: 'Strict',
      force: 'true',
    });
    expect(request?.headers['content-type']).toBe('application/apply-patch+yaml');
    expect(JSON.parse(request?.body ?? '')).toEqual({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: lease,
      data: { key: 'w6Q=' },
    });
  });

  it('keep the path prefix of the server', async () => {
    const server = await startScriptedServer();
    const client = createKubernetesClient({ server: `${server.url}/k8s/clusters/c-1/` });
    await client.get(resources.lease, lease);
    client.close();
    await server.close();
    expect(server.requests[0]?.path).toMatch(/^\/k8s\/clusters\/c-1\/apis\/coordination.k8s.io\/v1\//);
  });

  it('count the bytes of a body, not its characters', async () => {
    const { client, server } = await setUp();
    await client.delete(resources.lease, lease, { uid: 'ü' });
    await client.create(resources.lease, { metadata: { ...lease, annotations: { a: '日本語' } } });
    expect(server.requests.map((request) => JSON.parse(request.body))).toMatchObject([
      { preconditions: { uid: 'ü' } },
      { metadata: { annotations: { a: '日本語' } } },
    ]);
  });
});

describe('the clock of the API server', () => {
  it('is read from the Date of its answers and goes on with the monotonic clock', async () => {
    const headers = { date: 'Thu, 01 Jan 2032 00:00:00 GMT' };
    const clock: InstantClock = instantClock();
    const { client } = await setUp({ answers: [{ status: 200, headers }], options: { clock } });
    expect(client.serverTime()).toBeUndefined();
    await get(client);
    await clock.sleep(1_500);
    expect(client.serverTime()).toBe(Date.parse('2032-01-01T00:00:01.500Z'));
  });
});
