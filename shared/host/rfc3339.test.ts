import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isRfc3339 } from './rfc3339.ts';

test.each([
  '2026-11-29T16:38:45Z',
  '2026-11-29T16:38:45.966441627Z',
  '2026-11-29T16:38:45+05:30',
  '2026-11-29T16:38:45-00:00',
  '2024-02-29T23:59:59.9Z',
])('%s is an RFC 3339 time', (text) => {
  expect(isRfc3339(text)).toBe(true);
});

test.each([
  '',
  '2026-11-29',
  '2026-11-29T16:38Z',
  '2026-11-29T16:38:45',
  '2026-11-29 16:38:45Z',
  '2026-11-29T16:38:45.Z',
  '2026-11-29T16:38:45+0530',
  '2026-11-29T16:38:45+99:99',
  '2026-11-29T24:00:00Z',
  '2026-11-29T16:38:60Z',
  '2026-02-29T00:00:00Z',
  '2026-11-31T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '+02026-11-29T16:38:45Z',
  ' 2026-11-29T16:38:45Z',
  '2026-11-29T16:38:45Z\n',
  '٢٠٢٦-11-29T16:38:45Z',
])('%j is none', (text) => {
  expect(isRfc3339(text)).toBe(false);
});

test('every time that JavaScript writes is one', () => {
  const years = { min: new Date('0000-01-01T00:00:00Z'), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true };
  fc.assert(fc.property(fc.date(years), (date) => isRfc3339(date.toISOString())));
});
