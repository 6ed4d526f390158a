import {
  AmbiguousError,
  AuthenticationError,
  ConflictError,
  NotFoundError,
  PermissionError,
  QuotaError,
  UnavailableError,
} from 'openstack-client-ts';
import { describe, expect, test } from 'vitest';
import { DependencyError, RejectedError } from '../contract/errors.ts';
import { askCloud, collectFaults, toFault } from './cloud-faults.ts';

const details = { service: 'compute' };

describe('an answer of OpenStack', () => {
  test.each([
    ['not_found', new NotFoundError('No flavor is named "x".', details)],
    ['ambiguous', new AmbiguousError('Two images are named "x".', { ...details, ids: ['a', 'b'] })],
    ['permission_denied', new PermissionError('Not allowed.', details)],
    ['quota_exceeded', new QuotaError('Too many groups.', details)],
  ])('that the user can mend is a fault with code %s and the name of the field', (code, error) => {
    const expected = { code, message: `Field cluster.flavor_id: ${error.message}`, field: 'cluster.flavor_id' };
    expect(toFault(error, 'cluster.flavor_id')).toEqual(expected);
  });

  test('that refuses the credential blames no field', () => {
    const fault = toFault(new AuthenticationError('The token has expired.', details), 'cluster.flavor_id');
    expect(fault).toMatchObject({ code: 'permission_denied', message: expect.stringContaining('has expired') });
    expect(fault.field).toBeUndefined();
  });

  test.each([
    new UnavailableError('It does not answer.', { ...details, retryAfter: 7 }),
    new ConflictError('It is busy.', details),
  ])('that may pass is a dependency in trouble: $message', (error) => {
    expect(() => toFault(error, null)).toThrow(DependencyError);
  });

  test('keeps the time that it asks to wait', async () => {
    const step = () => Promise.reject(new UnavailableError('Later.', { ...details, retryAfter: 7 }));
    await expect(askCloud(step)).rejects.toMatchObject({ retryAfter: 7 });
  });

  test('that is no answer at all but a defect stays what it is', async () => {
    await expect(askCloud(() => Promise.reject(new TypeError('a defect')))).rejects.toThrow(TypeError);
  });
});

test('faults are collected once each and thrown together', async () => {
  const faults = collectFaults();
  const refused = () => Promise.reject(new AuthenticationError('Expired.', details));
  expect(await faults.lookUp('a', refused)).toBeNull();
  expect(await faults.lookUp('b', refused)).toBeNull();
  expect(await faults.lookUp('c', () => Promise.reject(new NotFoundError('No c.', details)))).toBeNull();
  expect(await faults.lookUp('d', () => 'found')).toBe('found');
  const messages = ['Keystone does not accept the credential: Expired.', 'Field c: No c.'];
  expect(faults.throwIfAny).toThrow(RejectedError);
  expect(faults.throwIfAny).toThrow(messages.join(' '));
});
