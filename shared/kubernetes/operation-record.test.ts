import { describe, expect, test } from 'vitest';
import { isSuperseded, openRecord, readRecord, recordAnnotation } from './operation-record.ts';

const event = { id: 'e-1', time: '2026-11-29T10:00:00Z' };

describe('an operation record', () => {
  test.each([
    [60, '2026-11-29T11:00:00.000Z'],
    [0, null],
  ])('with %d minutes has the deadline %s', (minutes, deadline) => {
    expect(openRecord(event, 'cluster.create', minutes).deadline).toBe(deadline);
  });

  test.each([null, 'gpu'])('of nodegroup %s is read back from its annotation', (nodegroup) => {
    const record = openRecord(event, 'cluster.create', 60);
    expect(readRecord({ [recordAnnotation(nodegroup)]: JSON.stringify(record) }, nodegroup)).toEqual(record);
  });

  test.each([undefined, '', '{', 'null', '[]', '{"id":1}', '{"id":"a","type":"b","started":"soon"}'])(
    'that says %j counts as none',
    (text) => {
      expect(readRecord(text === undefined ? undefined : { [recordAnnotation(null)]: text }, null)).toBeNull();
    },
  );
});

describe('an event is superseded', () => {
  const record = openRecord({ id: 'e-2', time: '2026-11-29T12:00:00+02:00' }, 'cluster.resize', 60);
  test.each([
    ['when it is older than the record', { id: 'e-1', time: '2026-11-29T09:59:59Z' }, true],
    ['not when it is as old', { id: 'e-1', time: '2026-11-29T10:00:00Z' }, false],
    ['not when it is newer', { id: 'e-1', time: '2026-11-29T10:00:01Z' }, false],
    ['not when the record is its own', { id: 'e-2', time: '2026-11-29T09:00:00Z' }, false],
  ])('%s', (_title, other, expected) => {
    expect(isSuperseded(other, record)).toBe(expected);
  });

  test('not when there is no record', () => {
    expect(isSuperseded(event, null)).toBe(false);
  });
});
