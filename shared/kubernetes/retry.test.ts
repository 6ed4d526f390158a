import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Outcome, retryAfterOf, retryDelay } from './retry.ts';
import { TransportError } from './transport.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

function answer(status: number, retryAfter?: number): Outcome {
  return { kind: 'answer', answer: { status, headers: {}, body: '' }, retryAfter };
}

function failure(what: { passing: boolean; neverSent: boolean }): Outcome {
  return { kind: 'failure', error: new TransportError('failed', { ...what, cause: undefined }) };
}

describe('what is sent again', () => {
  it.each([
    { what: 'refused', outcome: failure({ passing: true, neverSent: true }), repeatable: true, other: true },
    {
      what: 'lost after sending',
      outcome: failure({ passing: true, neverSent: false }),
      repeatable: true,
      other: false,
    },
    {
      what: 'an untrusted certificate',
      outcome: failure({ passing: false, neverSent: true }),
      repeatable: false,
      other: false,
    },
    { what: '429', outcome: answer(429), repeatable: true, other: true },
    { what: '500', outcome: answer(500), repeatable: false, other: false },
    { what: '500 with Retry-After', outcome: answer(500, 1), repeatable: true, other: false },
    { what: '502', outcome: answer(502), repeatable: true, other: false },
    { what: '503', outcome: answer(503), repeatable: true, other: false },
    { what: '504', outcome: answer(504), repeatable: true, other: false },
    { what: '400', outcome: answer(400), repeatable: false, other: false },
    { what: '401', outcome: answer(401), repeatable: false, other: false },
    { what: '403', outcome: answer(403), repeatable: false, other: false },
    { what: '404', outcome: answer(404), repeatable: false, other: false },
    { what: '409', outcome: answer(409), repeatable: false, other: false },
    { what: '422', outcome: answer(422), repeatable: false, other: false },
  ])('after $what: repeatable $repeatable, any other $other', ({ outcome, repeatable, other }) => {
    expect(retryDelay(outcome, { repeatable: true, attempt: 1 }) !== undefined).toBe(repeatable);
    expect(retryDelay(outcome, { repeatable: false, attempt: 1 }) !== undefined).toBe(other);
  });

  it('doubles the wait from 100 ms and gives up after six attempts', () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => retryDelay(answer(503), { repeatable: true, attempt }));
    for (const [index, delay] of delays.entries()) {
      expect(delay).toBeGreaterThanOrEqual(50 * 2 ** index);
      expect(delay).toBeLessThanOrEqual(100 * 2 ** index);
    }
    expect(retryDelay(answer(503), { repeatable: true, attempt: 6 })).toBeUndefined();
  });

  it('waits as long as the API server asks, but not longer than 10 s', () => {
    expect(retryDelay(answer(429, 10), { repeatable: false, attempt: 1 })).toBe(10_000);
    expect(retryDelay(answer(429, 11), { repeatable: false, attempt: 1 })).toBeUndefined();
  });
});

describe('the wait that an answer asks for', () => {
  it.each([
    { status: 429, header: '3', body: '', seconds: 3 },
    { status: 503, header: 'Thu, 01 Jan 2026 00:00:07 GMT', body: '', seconds: 7 },
    { status: 503, header: 'Wed, 31 Dec 2025 00:00:00 GMT', body: '', seconds: 0 },
    { status: 503, header: '99999999999999999999', body: '', seconds: 300 },
    { status: 503, header: 'soon', body: '', seconds: undefined },
    { status: 500, header: undefined, body: '{"details":{"retryAfterSeconds":1}}', seconds: 1 },
    { status: 503, header: undefined, body: '<html>', seconds: undefined },
    { status: 404, header: '3', body: '', seconds: undefined },
  ])('$status with Retry-After $header and $body is $seconds s', ({ status, header, body, seconds }) => {
    const headers = header === undefined ? {} : { 'retry-after': header };
    expect(retryAfterOf({ status, headers, body }, now)).toBe(seconds);
  });

  it('is a number of seconds up to five minutes, or nothing, whatever the answer is', () => {
    fc.assert(
      fc.property(fc.string(), fc.json(), (header, body) => {
        for (const headers of [{}, { 'retry-after': header }]) {
          const seconds = retryAfterOf({ status: 503, headers, body }, now);
          expect(seconds === undefined || (seconds >= 0 && seconds <= 300)).toBe(true);
        }
      }),
    );
  });
});
