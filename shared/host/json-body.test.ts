import fc from 'fast-check';
import { expect, test } from 'vitest';
import { InvalidEventError } from '../contract/errors.ts';
import { parseJson } from './json-body.ts';

const nested = (levels: number) => Buffer.from(`${'['.repeat(levels)}${']'.repeat(levels)}`);

test('JSON is read as it was written', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), (value) => {
      const text = JSON.stringify(value);
      if (text.includes('"__proto__"')) return;
      expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
    }),
  );
});

test('no bytes are no data', () => {
  expect(parseJson(Buffer.alloc(0))).toBeUndefined();
});

test('64 levels are read', () => {
  expect(() => parseJson(nested(64))).not.toThrow();
});

test.each([
  ['text', Buffer.from('token=s3cr3t')],
  ['two values', Buffer.from('{} {}')],
  ['a cut object', Buffer.from('{"a":')],
  ['bytes that are no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
  ['65 levels', nested(65)],
  ['half a million levels', nested(500_000)],
  ['a million open brackets', Buffer.from('['.repeat(1_000_000))],
  ['a prototype', Buffer.from('{"__proto__":{"polluted":true}}')],
  ['a prototype within', Buffer.from('{"a":[{"\\u005f_proto__":{}}]}')],
])('%s is refused without repeating it', (_title, bytes) => {
  const parse = () => parseJson(bytes);
  expect(parse).toThrow(InvalidEventError);
  expect(parse).not.toThrow(/s3cr3t|polluted/);
});
