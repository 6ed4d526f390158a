import { describe, expect, test } from 'vitest';
import { AccessCache } from './access-cache.ts';
import { ForbiddenError } from './host-errors.ts';

function cacheWithClock(size = 10) {
  const clock = { now: 0, checks: 0 };
  const cache = new AccessCache({
    now: () => new Date(clock.now),
    milliseconds: 60_000,
    refusedMilliseconds: 5000,
    size,
  });
  const check = async () => {
    clock.checks += 1;
  };
  return { clock, check: (...parts: string[]) => cache.once(parts, check), cache };
}

describe('a check of access', () => {
  test('that succeeded holds for 60 s from its beginning', async () => {
    const { clock, check } = cacheWithClock();
    await check('create', 'token');
    clock.now = 59_999;
    await check('create', 'token');
    expect(clock.checks).toBe(1);
    clock.now = 60_000;
    await check('create', 'token');
    expect(clock.checks).toBe(2);
  });

  test('is not lengthened by use', async () => {
    const { clock, check } = cacheWithClock();
    for (clock.now = 0; clock.now <= 120_000; clock.now += 30_000) await check('token');
    expect(clock.checks).toBe(3);
  });

  test('holds for its own parts alone', async () => {
    const { clock, check } = cacheWithClock();
    await check('create', 'token');
    await check('delete', 'token');
    await check('createtoken');
    await check('create', 'token', '');
    expect(clock.checks).toBe(4);
  });

  test('that was refused is refused for 5 s, and is no reason to forget who was not', async () => {
    const { clock, check, cache } = cacheWithClock(2);
    await check('good');
    const refuse = async () => {
      clock.checks += 1;
      throw new ForbiddenError('No.');
    };
    for (const token of ['a', 'b', 'c', 'c', 'c']) {
      await expect(cache.once([token], refuse)).rejects.toThrow('No.');
    }
    await check('good');
    expect(clock.checks).toBe(4);
    clock.now = 5000;
    await check('c');
    expect(clock.checks).toBe(5);
  });

  test('that could not be made is made again, and its error is that of everyone who waits for it', async () => {
    const { clock, check, cache } = cacheWithClock();
    const failure = Promise.withResolvers<void>();
    const both = [cache.once(['t'], () => failure.promise), cache.once(['t'], () => failure.promise)];
    failure.reject(new Error('no'));
    for (const outcome of await Promise.allSettled(both)) expect(outcome).toMatchObject({ reason: new Error('no') });
    await check('t');
    expect(clock.checks).toBe(1);
  });

  test('runs once for all that ask at the same time', async () => {
    const { clock, check } = cacheWithClock();
    await Promise.all([check('t'), check('t'), check('t')]);
    expect(clock.checks).toBe(1);
  });

  test('is forgotten when more than the limit came after it', async () => {
    const { clock, check } = cacheWithClock(2);
    for (const token of ['a', 'b', 'c']) await check(token);
    await check('b');
    expect(clock.checks).toBe(3);
    await check('a');
    expect(clock.checks).toBe(4);
  });
});
