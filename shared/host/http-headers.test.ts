import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InvalidEventError } from '../contract/errors.ts';
import { decodeHeaderValue, encodeHeaderValue, readHeaders } from './http-headers.ts';

describe('the value of an attribute in a header', () => {
  // The examples of CloudEvents HTTP binding 1.0.2 §3.1.3.2 are the first three.
  test.each([
    ['Euro%20%E2%82%AC%20%F0%9F%98%80', 'Euro € 😀'],
    ['Euro%e2%82%ac', 'Euro€'],
    ['%41', 'A'],
    ['a+b', 'a+b'],
    ['"quoted"', 'quoted'],
    ['"a \\"b\\" \\\\ %20"', 'a "b" \\  '],
    ['"', '"'],
    ['https://127.0.0.1:16443', 'https://127.0.0.1:16443'],
    ['', ''],
    [Buffer.from('größe').toString('latin1'), 'größe'],
  ])('%j means %j', (header, value) => {
    expect(decodeHeaderValue(header)).toBe(value);
  });

  test.each(['%', '%2', '%zz', '100%', '%C0%A0', '%ED%A0%80', '%FF', '\xe9', '\xff\xfe'])('%j is refused', (header) => {
    expect(() => decodeHeaderValue(header)).toThrow(InvalidEventError);
  });

  test('is written with nothing but printable ASCII and read back as it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const header = encodeHeaderValue(value);
        expect(header).toMatch(/^[!-~]*$/);
        expect(decodeHeaderValue(header)).toBe(value.toWellFormed());
      }),
    );
  });
});

describe('headers', () => {
  test('are found by their lower-case name', () => {
    expect(readHeaders(['CE-Id', 'a', 'Accept', 'x', 'accept', 'y', '__proto__', 'z'])).toEqual(
      new Map([
        ['ce-id', 'a'],
        ['accept', 'x'],
        ['__proto__', 'z'],
      ]),
    );
  });

  test.each(['ce-id', 'CE-TYPE', 'ce-unknown', 'Content-Type', 'content-encoding', 'Authorization'])(
    'are refused when %s is given twice',
    (name) => {
      expect(() => readHeaders([name.toLowerCase(), 'a', name, 'a'])).toThrow(InvalidEventError);
    },
  );
});
