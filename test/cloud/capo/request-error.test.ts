import { expect, test } from 'vitest';
import { ApiError } from '../openstack/api.ts';
import { requestError } from './request-error.ts';

test("A refusal reads as gophercloud words it, with the service's body", () => {
  const refusal = new ApiError(403, 'Quota exceeded for cores, ram: Requested 2, 4096, but already used 0, 0 of 1, 1');
  const request = { service: 'compute', method: 'POST', path: '/servers', expected: [200, 202] } as const;
  expect(requestError('http://127.0.0.1:1', request, refusal).message).toBe(
    'Expected HTTP response code [200 202] when accessing [POST http://127.0.0.1:1/compute/v2.1/servers], but got 403 ' +
      'instead: {"forbidden": {"code": 403, "message": "Quota exceeded for cores, ram: Requested 2, 4096, but already ' +
      'used 0, 0 of 1, 1"}}',
  );
});
