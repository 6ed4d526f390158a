import { describe, expect, test, vi } from 'vitest';
import { DependencyError } from '../contract/errors.ts';
import { InFlight } from './in-flight.ts';

describe('events in flight', () => {
  test('give what their work gives', async () => {
    const inFlight = new InFlight();
    await expect(inFlight.run(1000, async () => 'done')).resolves.toBe('done');
    await expect(inFlight.run(1000, () => Promise.reject(new RangeError('no')))).rejects.toThrow(RangeError);
    await inFlight.idle();
    expect(inFlight.size).toBe(0);
  });

  test('end with the reason of an abort, even before work that fails because of it', async () => {
    const inFlight = new InFlight();
    const work = (signal: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('AbortError')));
      });
    const running = inFlight.run(1000, work);
    inFlight.abort(new RangeError('stopping'));
    await expect(running).rejects.toThrow('stopping');
  });

  test('end when their time is up, but count until the work is done', async () => {
    const inFlight = new InFlight();
    const work = Promise.withResolvers<void>();
    await expect(inFlight.run(1, () => work.promise)).rejects.toThrow(DependencyError);
    expect(inFlight.size).toBe(1);
    const idle = inFlight.idle();
    work.resolve();
    await idle;
    expect(inFlight.size).toBe(0);
  });

  test('are idle only when the last one is done', async () => {
    const inFlight = new InFlight();
    const [first, second] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const runs = [inFlight.run(1000, () => first.promise), inFlight.run(1000, () => second.promise)];
    let isIdle = false;
    const idle = inFlight.idle().then(() => {
      isIdle = true;
    });
    first.resolve();
    await runs[0];
    expect(isIdle).toBe(false);
    second.resolve();
    await Promise.all([...runs, idle]);
  });

  test('keep no timer when they are done', async () => {
    vi.useFakeTimers();
    await new InFlight().run(60_000, async () => undefined);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});
