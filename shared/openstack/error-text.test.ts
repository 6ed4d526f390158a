import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { answerError } from './answer-error.ts';
import { errorText, readable } from './error-text.ts';

describe("The service's own words are found", () => {
  test.each([
    ['Keystone', '{"error":{"code":401,"message":"No.","title":"Unauthorized"}}', 'No.'],
    ['Nova', '{"itemNotFound":{"message":"No.","code":404}}', 'No.'],
    ['Cinder', '{"overLimit":{"message":"No.","code":413,"retryAfter":"0"}}', 'No.'],
    ['Neutron', '{"NeutronError":{"type":"X","message":"No.","detail":""}}', 'No.'],
    ['old Neutron', '{"NeutronError":"No."}', 'No.'],
    ['Glance', '{"message":"No.<br /><br />","code":"404 Not Found","title":"Not Found"}', 'No.<br /><br />'],
    ['Octavia', '{"faultcode":"Client","faultstring":"No.","debuginfo":null}', 'No.'],
    ['Placement', '{"errors":[{"status":404,"detail":"No."}]}', 'No.'],
  ])("in %s's body", (_, body, words) => {
    expect(errorText(body)).toBe(words);
  });

  test.each([
    '',
    '<html>502 Bad Gateway</html>',
    'null',
    '[]',
    '{}',
    '{"error":null}',
    '{"error":{"message":null}}',
    '7',
  ])('and %s has none', (body) => {
    expect(errorText(body)).toBeUndefined();
  });

  test('whatever the body is, without a crash', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), (body) => void errorText(body)));
  });
});

test('Words become one short line without control characters and secrets', () => {
  const words = fc.string({ unit: 'binary', maxLength: 600 });
  fc.assert(
    fc.property(words, words, (before, after) => {
      const line = readable(`${before}s3cret${after}`, ['s3cret', '']);
      expect(line).not.toMatch(/[\p{Cc}\u2028\u2029]/u);
      expect(line).not.toContain('s3cret');
      expect(line.length).toBeLessThanOrEqual(401);
    }),
  );
});

describe('The cause of an answer', () => {
  const context = { service: 'compute', secrets: [], now: 0 };
  const quota = 'Quota exceeded for cores: Requested 4, but already used 18 of 20 cores';

  test.each([
    [400, 'Bad name', 'bad_request'],
    [401, 'No', 'authentication_failed'],
    [403, 'Policy does not allow os_compute_api:os-quota-sets:show to be performed.', 'permission_denied'],
    [403, quota, 'quota_exceeded'],
    [403, 'Resource server_groups is over limit of 10 due to current usage 10 and delta 1.', 'quota_exceeded'],
    [403, 'Unable to create more, maximum of 5 already exceeded for user.', 'quota_exceeded'],
    [409, "Quota exceeded for resources: ['port'].", 'quota_exceeded'],
    [413, 'VolumeLimitExceeded: Maximum number of volumes allowed (10) exceeded', 'quota_exceeded'],
    [404, quota, 'not_found'],
    [406, 'Version 2.999 is not supported by the API.', 'bad_request'],
    [409, 'Taken', 'conflict'],
    [413, 'Too large', 'rate_limited'],
    [429, 'Too many', 'rate_limited'],
    [500, 'Oops', 'unavailable'],
    [503, quota, 'unavailable'],
    [302, 'Elsewhere', 'protocol'],
  ])('of %i "%s" is %s', (status, message, code) => {
    const error = answerError({ status, headers: {}, body: JSON.stringify({ fault: { message } }) }, context);
    expect(error).toMatchObject({ code, status, service: 'compute' });
    expect(error.message).toMatch(/^OpenStack compute answered \d+: .+\.$/);
  });

  test('without words is told by its status alone', () => {
    const error = answerError({ status: 502, headers: {}, body: '<html>' }, context);
    expect(error.message).toBe('OpenStack compute answered 502.');
  });
});
