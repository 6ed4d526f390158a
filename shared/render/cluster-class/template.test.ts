import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { expression, templateText, when } from './template.ts';

describe('a template', () => {
  test('writes what is fixed as JSON and what is computed through toJson', () => {
    const text = templateText({
      name: 'oidc-issuer-url',
      value: expression('.openidConnect.issuerUrl'),
      list: [1, true, null],
    });
    expect(text).toBe(
      '{"name":"oidc-issuer-url","value":{{ .openidConnect.issuerUrl | toJson }},"list":[1,true,null]}',
    );
  });

  test('puts conditional fields last, with their comma inside the condition', () => {
    const text = templateText({ zone: when('ne .zone ""', { name: expression('.zone') }), size: expression('.size') });
    expect(text).toBe(
      '{"size":{{ .size | toJson }}{{ if ne .zone "" }},"zone":{"name":{{ .zone | toJson }}}{{ end }}}',
    );
  });

  test('refuses an object that may be left with a leading comma', () => {
    expect(() => templateText({ zone: when('.zone', 'a') })).toThrow('conditional fields alone');
  });

  test('refuses a literal that the engine would evaluate', () => {
    expect(() => templateText({ name: '{{ local_hostname }}' })).toThrow('would evaluate');
  });

  test('is the same JSON when nothing is computed', () => {
    const fixed = fc.json().map((text) => JSON.stringify(JSON.parse(text)));
    fc.assert(
      fc.property(
        fixed.filter((text) => !text.includes('{{')),
        (text) => {
          expect(templateText(JSON.parse(text))).toBe(text);
        },
      ),
    );
  });
});
