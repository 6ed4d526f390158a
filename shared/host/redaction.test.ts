import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { redactFields, redactText } from './redaction.ts';

const key = '-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nAbC+/=\n-----END RSA PRIVATE KEY-----';
const fernet = `gAAAAAB${'Zx-_9'.repeat(30)}==`;
const jwt = `eyJhbGciOiJSUzI1NiJ9.${'eyJhdWQiOlsi'.repeat(5)}.${'c2lnbmF0dXJl'.repeat(3)}`;

describe('a text', () => {
  test.each([
    [`before ${key} after`, 'before [redacted] after'],
    [key.replaceAll('\n', '\\n'), '[redacted]'],
    [`cut -----BEGIN PRIVATE KEY-----\nMIIE`, 'cut [redacted]'],
    ['-----BEGIN EC PRIVATE KEY-----\nMHc\n-----END EC PRIVATE KEY-----', '[redacted]'],
    [`Keystone refused ${fernet}.`, 'Keystone refused [redacted].'],
    [`401 for ${jwt}`, '401 for [redacted]'],
    ['Authorization: Bearer abc.def-123', 'Authorization: [redacted] [redacted]'],
    ['X-Auth-Token: 0123abc', 'X-Auth-Token: [redacted]'],
    ['application-credential-secret=Ab9_x, next', 'application-credential-secret=[redacted], next'],
    ['application_credential_secret: "Ab9_x"', 'application_credential_secret: "[redacted]"'],
    ['{"auth":{"password":"hunter2","id":1}}', '{"auth":{"password":"[redacted]","id":1}}'],
    ['{\\"token\\":\\"hunter2\\"}', '{\\"token\\":\\"[redacted]\\"}'],
    ['amqp://magnum:hunter2@rabbit:5672/', 'amqp://magnum:[redacted]@rabbit:5672/'],
  ])('%j is written as %j', (text, clean) => {
    expect(redactText(text)).toBe(clean);
  });

  test.each([
    'The label kube_tag is not a version.',
    'Cannot create Secret magnum-system/kube-abcde-ca',
    'https://10.0.0.1:6443/apis?limit=5',
    '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----',
    'größe €',
  ])('%j stays as it is', (text) => {
    expect(redactText(text)).toBe(text);
  });

  test('of 10,000 characters is cut', () => {
    expect(redactText('x'.repeat(10_000))).toBe(`${'x'.repeat(4000)}…`);
  });

  test('is cleaned in good time whatever it holds', () => {
    const pieces = fc.constantFrom(
      '-----BEGIN ',
      'PRIVATE KEY-----',
      '-----END ',
      'token',
      '=',
      ':',
      '"',
      '\\',
      ' ',
      'eyJ',
      '.',
      '://',
      '@',
      'Bearer ',
      'a',
    );
    const started = performance.now();
    fc.assert(
      fc.property(
        fc.array(pieces, { minLength: 2000, maxLength: 4000 }),
        (parts) => redactText(parts.join('')).length > 0,
      ),
    );
    expect((performance.now() - started) / 100).toBeLessThan(1000);
  });
});

describe('fields', () => {
  test.each([
    'token',
    'secret',
    'password',
    'Authorization',
    'private_key',
    'privateKey',
    'application_credential_secret',
    'adminPassword',
    'set-cookie',
  ])('called %s are hidden at any depth, whatever they are', (name) => {
    expect(redactFields({ [name]: 'x', a: [{ [name]: { b: 1 } }] })).toEqual({
      [name]: '[redacted]',
      a: [{ [name]: '[redacted]' }],
    });
  });

  test('of a Secret lose its data', () => {
    const object = {
      kind: 'Secret',
      metadata: { name: 'kube-abcde-ca' },
      data: { 'tls.key': 'TUlJ' },
      stringData: { a: 'b' },
    };
    expect(redactFields({ object })).toEqual({ object: { ...object, data: '[redacted]', stringData: '[redacted]' } });
    expect(redactFields({ kind: 'Cluster', data: 1 })).toEqual({ kind: 'Cluster', data: 1 });
  });

  test('that are errors keep their message, stack, code and causes, cleaned, and nothing that hangs on them', () => {
    const cause = Object.assign(new TypeError(`bad ${fernet}`), { code: 'ERR', response: { headers: { x: jwt } } });
    const { err } = redactFields({ err: new Error(`failed: ${key}`, { cause }) });
    expect(err).toEqual({
      type: 'Error',
      message: 'failed: [redacted]',
      stack: expect.stringContaining('redaction.test.ts'),
      cause: { type: 'TypeError', message: 'bad [redacted]', stack: expect.any(String), code: 'ERR' },
    });
    expect(JSON.stringify(err)).not.toMatch(/MIIEow|gAAAA|eyJ/);
  });

  test('that point at themselves end', () => {
    const circle: Record<string, unknown> = { a: 1 };
    circle['self'] = circle;
    expect(() => JSON.stringify(redactFields(circle))).not.toThrow();
  });

  test.each([
    [1n, '1'],
    [Buffer.from('secret'), '[bytes]'],
    [null, null],
    [undefined, undefined],
    [new Date(0), new Date(0)],
  ])('such as %s are written as %s', (value, written) => {
    expect(redactFields({ value })).toEqual({ value: written });
  });
});
