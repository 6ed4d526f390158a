import { describe, expect, test } from 'vitest';
import { functionEnvironment, sinkSettings } from './function-environment.ts';

const complete = { KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '6443' };
const url = 'http://broker-ingress.knative-eventing.svc.cluster.local/magnum-system/default';

const settingsOf = (variables: Record<string, string>) =>
  sinkSettings(functionEnvironment.parse({ ...complete, ...variables }));

describe('the sink of a function', () => {
  test('is none without a SinkBinding', () => {
    expect(settingsOf({ K_CE_OVERRIDES: '{"extensions":{"region":"one"}}' })).toBeUndefined();
  });

  test('is what the SinkBinding says', () => {
    const variables = { K_SINK: url, K_CE_OVERRIDES: '{"extensions":{"region":"one"}}', K_CA_CERTS: 'PEM' };
    expect(settingsOf(variables)).toEqual({ url, caCertificates: 'PEM', extensions: { region: 'one' } });
  });

  test.each(['', '{}', '{"extensions":null}'])('has no extensions where the overrides are %j', (K_CE_OVERRIDES) => {
    expect(settingsOf({ K_SINK: url, K_CE_OVERRIDES, K_CA_CERTS: '' })).toEqual({
      url,
      caCertificates: undefined,
      extensions: {},
    });
  });
});

describe('a variable that is wrong is named', () => {
  test.each([
    ['K_SINK', 'broker', 'is no URL of http or https'],
    ['K_SINK', 'ftp://broker/', 'is no URL of http or https'],
    ['K_CE_OVERRIDES', '{', 'is no JSON'],
    ['K_CE_OVERRIDES', '[]', 'is not what a SinkBinding writes'],
    ['STATUS_WINDOW_MS', 'soon', 'is no number'],
    ['STATUS_WINDOW_MS', '-1', 'is less than 0'],
    ['STATUS_WINDOW_MS', '60000', 'is more than 10000'],
    ['HEALTH_WINDOW_MS', '10001', 'is more than 10000'],
    ['HEALTH_PROBE_TIMEOUT_MS', '10001', 'is more than 10000'],
  ])('%s=%s', (name, value, message) => {
    const parsed = functionEnvironment.safeParse({ ...complete, [name]: value });
    expect(parsed.error?.issues).toMatchObject([{ path: [name], message }]);
  });

  test.each(['id', 'time', 'Region', 'data', 'a-b'])('also where the overrides set the attribute %s', (name) => {
    const K_CE_OVERRIDES = JSON.stringify({ extensions: { [name]: 'x' } });
    const parsed = functionEnvironment.safeParse({ ...complete, K_CE_OVERRIDES });
    expect(parsed.error?.issues).toMatchObject([{ path: ['K_CE_OVERRIDES', 'extensions', name] }]);
  });
});
