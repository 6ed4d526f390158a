import { expect, test } from 'vitest';
import { newSpanId, newTraceId, traceCarrier, traceContextOf } from './trace-context.ts';

const traceId = 'a3ce929d0e0e47364bf92f3577b34da6';
const spanId = 'b7ad6b7169203331';
const traceparent = `00-${traceId}-${spanId}-01`;

test.each([
  ['as it is', traceparent, true],
  ['with spaces around it', ` ${traceparent} `, true],
  ['that was not sampled', `00-${traceId}-${spanId}-00`, false],
  ['with further flags', `00-${traceId}-${spanId}-fe`, false],
  ['of a later version, which may say more', `01-${traceId}-${spanId}-01-more`, true],
])('a context %s is read', (_title, given, sampled) => {
  expect(traceContextOf({ traceparent: given })).toEqual({ traceId, spanId, sampled, state: '' });
});

test.each([
  ['nothing', undefined],
  ['an empty text', ''],
  ['capital letters', traceparent.toUpperCase()],
  ['an empty trace', `00-${'0'.repeat(32)}-${spanId}-01`],
  ['an empty span', `00-${traceId}-${'0'.repeat(16)}-01`],
  ['the version that is none', `ff${traceparent.slice(2)}`],
  ['more than this version has', `${traceparent}-more`],
  ['two of them', `${traceparent},${traceparent}`],
  ['a line of a header', `${traceparent}\r\nx: y`],
])('%s is no context', (_title, given) => {
  expect(traceContextOf({ traceparent: given, tracestate: 'vendor=1' })).toBeUndefined();
});

test('a context goes on as it came, with what other vendors say', () => {
  const carrier = { traceparent, tracestate: 'vendor=1' };
  expect(traceCarrier(traceContextOf(carrier))).toEqual(carrier);
  expect(traceCarrier(traceContextOf({ traceparent }))).toEqual({ traceparent });
  expect(traceCarrier(undefined)).toEqual({});
});

test('a state that is longer than all have to pass on is dropped as a whole', () => {
  const stateOf = (tracestate: string) => traceContextOf({ traceparent, tracestate })?.state;
  expect(stateOf('v'.repeat(512))).toHaveLength(512);
  expect(stateOf('v'.repeat(513))).toBe('');
});

test('new ids are valid, and none is another', () => {
  const contexts = Array.from({ length: 100 }, () => `00-${newTraceId()}-${newSpanId()}-00`);
  expect(contexts.map((each) => traceContextOf({ traceparent: each }))).not.toContain(undefined);
  expect(new Set(contexts).size).toBe(100);
});
