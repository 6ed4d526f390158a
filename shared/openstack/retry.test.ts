import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { demoCredential, demoSession } from '../../test/cloud/openstack/demo-session.ts';
import type { Fault } from '../../test/cloud/openstack/faults.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import type { OpenStackError } from './errors.ts';
import type { Clock } from './retry.ts';
import { createServerGroup, deleteServerGroup, listServerGroups } from './server-group.ts';
import { openSession, type Session, type SessionOptions } from './session.ts';

let cloud: SimulatedOpenStack;
let session: Session;
let clock: Clock & { readonly waits: number[] };
const path = '/os-server-groups';

/** Waits are noted and pass at once. */
function testClock(): typeof clock {
  const waits: number[] = [];
  let time = Date.UTC(2026, 0, 1);
  return {
    waits,
    now: () => time,
    random: () => 0.5,
    sleep(ms) {
      waits.push(ms);
      time += ms;
      return Promise.resolve();
    },
  };
}

function open(options: Partial<SessionOptions> = {}): Session {
  session?.close();
  clock = testClock();
  session = demoSession(cloud, { clock, ...options });
  return session;
}

beforeAll(async () => {
  cloud = await startSimulatedOpenStack();
});

beforeEach(async () => {
  await open().microversions('compute');
  cloud.requests.length = 0;
});

afterEach(() => cloud.faults.clear());

afterAll(() => {
  session.close();
  return cloud.stop();
});

async function failure(pending: Promise<unknown>): Promise<OpenStackError> {
  return pending.then(
    () => {
      throw new RangeError('It did not fail.');
    },
    (error: OpenStackError) => error,
  );
}

describe('What is sent again', () => {
  const retryAfter = { 'retry-after': '1' };
  const again: [string, 'GET' | 'POST' | 'DELETE', Fault][] = [
    ['429', 'GET', { status: 429 }],
    ['500', 'GET', { status: 500 }],
    ['502', 'GET', { status: 502, rawBody: '<html>Bad gateway</html>' }],
    ['503', 'DELETE', { status: 503 }],
    ['504', 'DELETE', { status: 504 }],
    ['413 with Retry-After', 'GET', { status: 413, headers: retryAfter }],
    ['a connection cut before the answer', 'GET', { cut: 'before' }],
    ['a connection cut within the answer', 'GET', { cut: 'within' }],
    ['a connection cut before the answer', 'DELETE', { cut: 'before' }],
    ['429 with Retry-After', 'POST', { status: 429, headers: retryAfter }],
    ['503 with Retry-After', 'POST', { status: 503, headers: retryAfter }],
  ];

  test.each(again)('After %s, %s is sent up to four times', async (_, method, fault) => {
    cloud.faults.inject({ ...fault, method, times: Number.POSITIVE_INFINITY });
    const error = await failure(session.send({ service: 'compute', method, path }));
    expect(error.retryable).toBe(true);
    expect(cloud.requests).toHaveLength(4);
    expect(clock.waits).toHaveLength(3);
  });

  const never: [string, 'GET' | 'POST' | 'DELETE', Fault][] = [
    ['400', 'GET', { status: 400 }],
    ['403', 'GET', { status: 403 }],
    ['404', 'DELETE', { status: 404 }],
    ['409', 'DELETE', { status: 409 }],
    ['413 without Retry-After', 'GET', { status: 413 }],
    ['500', 'DELETE', { status: 500 }],
    ['429 without Retry-After', 'POST', { status: 429 }],
    ['503 without Retry-After', 'POST', { status: 503 }],
    ['500', 'POST', { status: 500 }],
    ['502 with Retry-After', 'POST', { status: 502, headers: retryAfter }],
    ['a connection cut before the answer', 'POST', { cut: 'before' }],
    ['a connection cut after the work', 'POST', { cut: 'after' }],
  ];

  test.each(never)('After %s, %s is not sent again', async (_, method, fault) => {
    cloud.faults.inject({ ...fault, method, times: Number.POSITIVE_INFINITY });
    await failure(session.send({ service: 'compute', method, path }));
    expect(cloud.requests).toHaveLength(1);
  });

  test('A sign-in is sent again like a GET, though it is a POST', async () => {
    cloud.faults.inject({ service: 'identity', cut: 'before', times: 2 });
    const credential = open({ auth: demoCredential(cloud) });
    expect((await credential.authentication()).user.name).toBe('demo');
    expect(cloud.requests.map(({ status }) => status)).toEqual([null, null, 201]);
  });

  test('A POST is sent again where no connection came about', async () => {
    const other = await startSimulatedOpenStack();
    let sent = 0;
    const refused = demoSession(other, { clock, onRequest: () => sent++ });
    await refused.microversions('compute');
    await other.stop();
    // This GET uses up the connections that the stopped server has cut.
    await failure(listServerGroups(refused));
    sent = 0;
    const error = await failure(createServerGroup(refused, { name: 'x', policy: 'affinity' }));
    expect(error).toMatchObject({ code: 'unavailable', retryable: true });
    expect(error.message).toBe('OpenStack compute could not be used: no connection (ECONNREFUSED).');
    expect(sent).toBe(4);
    refused.close();
  });

  test('A deletion whose answer was lost is found done', async () => {
    const { id } = await createServerGroup(session, { name: 'x', policy: 'affinity' });
    cloud.faults.inject({ method: 'DELETE', cut: 'after' });
    expect(await deleteServerGroup(session, id)).toBe(false);
    expect(cloud.state.serverGroups).toEqual([]);
  });
});

describe('How long it waits', () => {
  const get = { service: 'compute', method: 'GET', path } as const;

  test('Without Retry-After the wait doubles, and half of it is jitter', async () => {
    cloud.faults.inject({ status: 503, times: 3 });
    await session.send(get);
    expect(clock.waits).toEqual([150, 300, 600]);
  });

  test('The wait does not grow beyond its limit', async () => {
    await open({ retry: { limit: 6, baseDelayMs: 1_000, maxDelayMs: 2_000 } }).microversions('compute');
    cloud.faults.inject({ status: 503, times: 6 });
    await session.send(get);
    expect(clock.waits).toEqual([750, 1_500, 1_500, 1_500, 1_500, 1_500]);
  });

  test.each([
    ['seconds', '7', 7_000],
    ['zero', '0', 0],
    ['a date', new Date(Date.UTC(2026, 0, 1, 0, 0, 3)).toUTCString(), 3_000],
    ['a date that has passed', new Date(0).toUTCString(), 0],
    ['words', 'soon', 150],
  ])('Retry-After in %s is obeyed', async (_, value, wait) => {
    cloud.faults.inject({ status: 429, headers: { 'retry-after': value } });
    await session.send(get);
    expect(clock.waits).toEqual([wait]);
  });

  test('A Retry-After beyond the limit is told to the caller instead', async () => {
    cloud.faults.inject({ status: 429, headers: { 'retry-after': '11' } });
    const error = await failure(session.send(get));
    expect(error).toMatchObject({ code: 'rate_limited', retryable: true, retryAfter: 11 });
    expect(clock.waits).toEqual([]);
  });

  test('A wait that would pass the time limit of the call is not begun', async () => {
    await open({ timeLimits: { totalMs: 400 } }).microversions('compute');
    cloud.requests.length = 0;
    cloud.faults.inject({ status: 503, times: 9 });
    expect(await failure(session.send(get))).toMatchObject({ code: 'unavailable', status: 503 });
    expect(clock.waits).toEqual([150]);
    expect(cloud.requests).toHaveLength(2);
  });

  test("The system's clock is used where none is given", async () => {
    const real = openSession({ auth: demoCredential(cloud), retry: { baseDelayMs: 1 } });
    cloud.faults.inject({ status: 503 });
    expect((await real.authentication()).user.name).toBe('demo');
    real.close();
  });
});
