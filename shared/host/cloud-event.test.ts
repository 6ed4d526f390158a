import { describe, expect, test } from 'vitest';
import { InvalidEventError } from '../contract/errors.ts';
import { parseAttributes } from './cloud-event.ts';

const arrived = new Date('2026-11-29T12:00:00Z');
const request = {
  specversion: '1.0',
  id: 'req-1',
  source: '/magnum',
  type: 'org.openstack.magnum.cluster.create.v1',
  subject: 'a3f0',
  time: '2026-11-29T10:00:00Z',
};
const reference = { ...request, type: 'dev.knative.apiserver.ref.update', subject: '/apis/v1/x', namespace: '' };

describe('attributes of an event', () => {
  test('are kept, extensions under their own name', () => {
    expect(
      parseAttributes({ ...request, partitionkey: 'a3f0', traceparent: '00', datacontenttype: 'x/y' }, arrived),
    ).toEqual({
      id: 'req-1',
      source: '/magnum',
      type: request.type,
      subject: 'a3f0',
      time: '2026-11-29T10:00:00Z',
      extensions: { partitionkey: 'a3f0', traceparent: '00' },
    });
  });

  test.each([
    [
      'an empty extension, as ApiServerSource sends for what has no namespace',
      reference,
      { extensions: { namespace: '' } },
    ],
    [
      'the time of arrival where a source sends none',
      { ...reference, time: undefined },
      { time: arrived.toISOString() },
    ],
    ['no subject where a source sends none', { ...reference, subject: undefined }, { subject: '' }],
    ['a time in small letters', { ...request, time: '2026-11-29t10:00:00z' }, { time: '2026-11-29T10:00:00Z' }],
    [
      'an extension that is called like a method',
      { ...request, constructor: 'x' },
      { extensions: { constructor: 'x' } },
    ],
    ['an id of 512 characters', { ...request, id: 'é'.repeat(512) }, { id: 'é'.repeat(512) }],
    ['long extensions that no reply repeats', { ...request, tracestate: 'x'.repeat(9000) }, {}],
  ])('may have %s', (_title, attributes, expected) => {
    const present = Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
    expect(parseAttributes(present, arrived)).toMatchObject(expected);
  });

  test.each([
    ['specversion', undefined],
    ['specversion', '0.3'],
    ['specversion', '1.0.2'],
    ['specversion', 1],
    ['id', undefined],
    ['id', ''],
    ['id', 'x'.repeat(513)],
    ['source', ''],
    ['type', undefined],
    ['type', ''],
    ['type', {}],
    ['subject', undefined],
    ['subject', ''],
    ['subject', 'x'.repeat(10_000)],
    ['time', undefined],
    ['time', ''],
    ['time', 'yesterday'],
    ['time', '2026-02-30T00:00:00Z'],
    ['partitionkey', 'x'.repeat(513)],
    ['extra', null],
    ['extra', ['a']],
    ['extra', 'a\r\nce-id: b'],
    ['extra', '\ud800'],
    ['id', 'a\u0000'],
  ])('of a request are refused when %s is %j', (name, value) => {
    const attributes = Object.entries({ ...request, [name]: value }).filter(([, present]) => present !== undefined);
    const parse = () => parseAttributes(Object.fromEntries(attributes), arrived);
    expect(parse).toThrow(InvalidEventError);
    expect(parse).toThrow(`The attribute ${name} of the event`);
  });

  test.each(['with-dash', 'Upper', 'data_base64', 'ümlaut', '', '__proto__'])(
    'are refused when one is called %j',
    (name) => {
      const attributes = Object.fromEntries([...Object.entries(request), [name, 'x']]);
      expect(() => parseAttributes(attributes, arrived)).toThrow('not all of a-z and 0-9');
    },
  );

  test('are refused by an error that repeats no value and no long name', () => {
    const parse = () => parseAttributes({ ...request, ['n'.repeat(9000)]: 5, id: '' }, arrived);
    expect(parse).toThrow(new InvalidEventError(`The attribute ${'n'.repeat(40)} of the event is no plain text.`));
  });
});
