import { expect, test } from 'vitest';
import { withCloudWords } from './cloud-error.ts';

const url = 'https://nova.example.org/v2.1/servers';
const quota = 'Quota exceeded for instances: Requested 1, but already used 10 of 10 instances';
const ofNova = JSON.stringify({ forbidden: { code: 403, message: quota } });
const ofNeutron = JSON.stringify({ NeutronError: { type: 'OverQuota', message: 'No more ports', detail: '' } });
const ofOctavia = '{"faultcode": "Client", "faultstring": "Quota has been met."}';

test.each<[string, number, string, string]>([
  ['of Nova', 403, ofNova, `${quota} (HTTP 403)`],
  ['of Neutron', 409, ofNeutron, 'No more ports (HTTP 409)'],
  ['of Octavia', 403, ofOctavia, 'Quota has been met (HTTP 403)'],
  ['that breaks off', 500, '{"computeFault": {"mess', 'HTTP 500 {"computeFault": {"mess'],
  ['that says nothing', 400, '{"code": 400}', 'HTTP 400 {"code": 400}'],
  ['without a body', 404, '', 'HTTP 404 '],
])('an answer %s is told in its own words', (_what, status, body, words) => {
  const quoted = `Expected HTTP response code [201 202] when accessing [POST ${url}], but got ${status} instead: ${body}`;
  expect(withCloudWords(`error creating Openstack instance: ${quoted}`)).toBe(
    `error creating Openstack instance: ${words}`,
  );
});

test('other texts stay as they are', () => {
  expect(withCloudWords('no images were found')).toBe('no images were found');
});
