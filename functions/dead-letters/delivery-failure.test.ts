import { describe, expect, test } from 'vitest';
import { deliveryFailure } from './delivery-failure.ts';

const base64 = (text: string) => Buffer.from(text).toString('base64');

test.each([
  ['http://magnum-status.magnum-system.svc.cluster.local/', 'http://magnum-status.magnum-system.svc.cluster.local'],
  ['https://user:password@listener.example.org:8790/reports/secret', 'https://listener.example.org:8790'],
  ['javascript:alert(1)', ''],
  ['nowhere', ''],
  ['', ''],
])('the destination %j is kept as %j', (knativeerrordest, destination) => {
  expect(deliveryFailure({ knativeerrordest }).destination).toBe(destination);
});

test.each([
  ['503', '503'],
  ['503 ', ''],
  ['-1', ''],
  ['', ''],
])('the code %j is kept as %j', (knativeerrorcode, code) => {
  expect(deliveryFailure({ knativeerrorcode }).code).toBe(code);
});

describe('the reason', () => {
  test.each([
    ['an answer in base64', base64('{"code":"busy","message":"Wait."}'), '{"code":"busy","message":"Wait."}'],
    ['an answer that was cut within a character', base64('Größe').slice(0, 4), 'Gr'],
    ['a text as it is', 'dispatch error: EOF', 'dispatch error: EOF'],
    ['a word that could be base64 and is none', 'gone', 'gone'],
    ['lines and control characters', base64('a\r\nb\u0000c'), 'a b c'],
    ['nothing', '', ''],
  ])('is readable: %s', (_what, knativeerrordata, reason) => {
    expect(deliveryFailure({ knativeerrordata }).reason).toBe(reason);
  });

  test.each([
    ['an address', 'Post "https://l.example:8790/reports/s3cr3t-of-the-listener": EOF'],
    ['an address with a password', 'Post "https://me:s3cr3t@l.example/x": EOF'],
    ['a path', 'no route /reports/s3cr3t-of-the-listener'],
    ['a token', 'Authorization: Bearer s3cr3t.s3cr3t.s3cr3t'],
  ])('repeats no secret: %s', (_what, text) => {
    expect(deliveryFailure({ knativeerrordata: base64(text) }).reason).not.toContain('s3cr3t');
    expect(deliveryFailure({ knativeerrordata: text }).reason).not.toContain('s3cr3t');
  });

  test('has an end', () => {
    expect(deliveryFailure({ knativeerrordata: '\u{1f600} '.repeat(5_000) }).reason.length).toBeLessThanOrEqual(1000);
  });
});
