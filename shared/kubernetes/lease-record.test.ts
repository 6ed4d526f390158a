import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leaseExpiry, leaseSpec, microTime } from './lease-record.ts';

const seconds = (time: string) => Date.parse(time) / 1_000;
const written = seconds('2026-01-01T00:00:00Z');

function entry(time: string) {
  return { manager: 'python-requests', operation: 'Update', time };
}

describe('when a Lease may be taken over', () => {
  it.each([
    {
      what: 'counts from the last write that the API server saw',
      lease: {
        metadata: { managedFields: [entry('2026-01-01T00:00:00Z'), entry('2025-12-31T23:00:00Z')] },
        spec: { renewTime: '2026-01-01T00:00:00.000000Z', leaseDurationSeconds: 60 },
      },
      expiry: written + 60 + 2,
    },
    {
      what: 'does not believe a holder whose clock is an hour late',
      lease: {
        metadata: { managedFields: [entry('2026-01-01T00:00:00Z')] },
        spec: { renewTime: '2025-12-31T23:00:00.000000Z', leaseDurationSeconds: 15 },
      },
      expiry: written + 15 + 2,
    },
    {
      what: 'does not believe a holder whose clock is an hour ahead',
      lease: {
        metadata: { managedFields: [entry('2026-01-01T00:00:00Z')] },
        spec: { renewTime: '2026-01-01T01:00:00.000000Z', leaseDurationSeconds: 15 },
      },
      expiry: written + 15 + 2,
    },
    {
      what: 'falls back to renewTime where no write is recorded',
      lease: { spec: { renewTime: '2026-01-01T00:00:00.000000Z', leaseDurationSeconds: 15 } },
      expiry: written + 15 + 2,
    },
    {
      what: 'is long ago for a Lease with no time at all',
      lease: { spec: { leaseDurationSeconds: 15 } },
      expiry: 15 + 2,
    },
    {
      what: 'is never without a duration',
      lease: { metadata: { managedFields: [entry('2026-01-01T00:00:00Z')] }, spec: {} },
      expiry: Number.POSITIVE_INFINITY,
    },
  ])('$what', ({ lease, expiry }) => {
    expect(leaseExpiry(lease) / 1_000).toBe(expiry);
  });
});

describe('what a holder writes', () => {
  it('is all that sherlock reads', () => {
    expect(leaseSpec('create_1', 15, Date.parse('2026-01-01T00:00:00.5Z'))).toEqual({
      holderIdentity: 'create_1',
      leaseDurationSeconds: 15,
      acquireTime: '2026-01-01T00:00:00.500000Z',
      renewTime: '2026-01-01T00:00:00.500000Z',
    });
  });

  it('has exactly six decimals, whatever the time', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true }), (date) => {
        const text = microTime(date.getTime() + 0.123);
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
        expect(Date.parse(text)).toBe(date.getTime());
      }),
    );
  });
});
