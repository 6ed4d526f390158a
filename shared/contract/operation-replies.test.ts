import { expect, test } from 'vitest';
import { InvalidEventError, RejectedError } from './errors.ts';
import { eventTypes } from './event-types.ts';
import { acceptedReply, checkSubject, rejectedReply } from './operation-replies.ts';

test('an accepted reply matches its schema', () => {
  const { type, data } = acceptedReply({ cluster_uuid: 'u', stack_id: 'kube-abcde', nodegroup: null });
  expect(eventTypes[type].schema.parse(data)).toEqual({ ...data, notes: [] });
});

test('a rejected reply says everything in one message and matches its schema', () => {
  const error = new RejectedError([
    { code: 'invalid_label', message: 'Label a is wrong.', field: 'labels.a' },
    { code: 'not_found', message: 'Image b is unknown.', hint: 'Upload it.' },
  ]);
  const { type, data } = rejectedReply(error);
  expect(eventTypes[type].schema.parse(data)).toEqual(data);
  expect(data).toMatchObject({
    code: 'invalid_label',
    message: 'Label a is wrong. Image b is unknown.',
    field: 'labels.a',
    faults: [{ field: 'labels.a' }, { hint: 'Upload it.' }],
  });
});

test("the subject has to be the cluster of the event's data", () => {
  const data = { cluster: { uuid: 'a' } };
  expect(() => checkSubject({ subject: 'a', data })).not.toThrow();
  expect(() => checkSubject({ subject: 'b', data })).toThrow(InvalidEventError);
});
