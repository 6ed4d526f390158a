import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DriverError } from '../contract/errors.ts';
import { isAlreadyExists, isConflict, isInvalid, isNotFound, KubernetesError } from './errors.ts';
import { type CallDescription, statusError } from './status-error.ts';

const call: CallDescription = {
  verb: 'patch',
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  namespace: 'magnum-system',
  name: 'kube-abcde',
};
const secretCall: CallDescription = { ...call, verb: 'apply', apiVersion: 'v1', kind: 'Secret', confidential: true };

function status(code: number, rest: Record<string, unknown>) {
  return { status: code, body: JSON.stringify({ kind: 'Status', code, ...rest }) };
}

const details = { kind: 'clusters', name: 'kube-abcde' };

describe('the error for an answer', () => {
  it.each([
    { answer: status(400, { reason: 'BadRequest', message: 'm' }), name: 'InvalidError', host: 422, retryable: false },
    {
      answer: status(401, { reason: 'Unauthorized', message: 'm' }),
      name: 'ForbiddenError',
      host: 503,
      retryable: true,
    },
    { answer: status(403, { reason: 'Forbidden', message: 'm' }), name: 'ForbiddenError', host: 503, retryable: true },
    {
      answer: status(404, { reason: 'NotFound', message: 'm', details }),
      name: 'NotFoundError',
      host: 503,
      retryable: true,
    },
    {
      answer: status(409, { reason: 'Conflict', message: 'm', details }),
      name: 'ConflictError',
      host: 429,
      retryable: true,
    },
    { answer: status(413, { message: 'm' }), name: 'InvalidError', host: 422, retryable: false },
    {
      answer: status(422, { reason: 'Invalid', message: 'm', details }),
      name: 'InvalidError',
      host: 422,
      retryable: false,
    },
    { answer: status(429, { message: 'm' }), name: 'UnavailableError', host: 503, retryable: true },
    { answer: status(500, { message: 'm' }), name: 'UnavailableError', host: 503, retryable: true },
    { answer: status(503, { message: 'm' }), name: 'UnavailableError', host: 503, retryable: true },
    { answer: status(410, { reason: 'Expired', message: 'm' }), name: 'KubernetesError', host: 503, retryable: true },
  ])('$answer.status is a $name that the host answers with $host', ({ answer, name, host, retryable }) => {
    const error = statusError(call, answer);
    expect(error).toMatchObject({ name, status: host, retryable, apiStatus: answer.status });
    expect(error.message).toBe('Cannot patch Cluster magnum-system/kube-abcde: m');
    expect(error).toBeInstanceOf(DriverError);
  });

  it('tells an object that exists from one that was changed', () => {
    const exists = statusError(call, status(409, { reason: 'AlreadyExists' }));
    const changed = statusError(call, status(409, { reason: 'Conflict' }));
    expect([isAlreadyExists(exists), isConflict(exists)]).toEqual([true, false]);
    expect([isAlreadyExists(changed), isConflict(changed)]).toEqual([false, true]);
  });

  it('takes the 404 of a kind that is not served for a broken dependency, not for a missing object', () => {
    const unserved = statusError(call, { status: 404, body: '404 page not found\n' });
    expect(isNotFound(unserved)).toBe(false);
    expect(unserved.message).toContain('the API server does not serve Cluster of cluster.x-k8s.io/v1beta2');
    const unknownVersion = status(404, {
      reason: 'NotFound',
      message: 'the server could not find the requested resource',
      details: {},
    });
    expect(isNotFound(statusError(call, unknownVersion))).toBe(false);
  });

  it('takes a JSON Patch that does not fit for a conflict', () => {
    const message = 'the server rejected our request due to an error in our request';
    const answer = status(422, { reason: 'Invalid', message, details: {} });
    expect(isConflict(statusError(call, answer))).toBe(true);
    expect(isInvalid(statusError({ ...call, verb: 'create' }, answer))).toBe(true);
  });

  it('takes the 500 of a field that no schema has for an invalid object', () => {
    const message = 'failed to create typed patch object (a/b; v1, Kind=X): .spec.x: field not declared in schema';
    expect(isInvalid(statusError({ ...call, verb: 'apply' }, status(500, { message })))).toBe(true);
  });

  it('carries the fields that are refused', () => {
    const causes = [{ field: 'spec.topology.version', reason: 'FieldValueInvalid', message: 'must be a version' }];
    expect(statusError(call, status(422, { reason: 'Invalid', details: { ...details, causes } })).causes).toEqual(
      causes,
    );
  });

  it.each([400, 422, 500, 503])('repeats nothing of the content of a Secret (%i)', (code) => {
    const causes = [{ field: 'data[a b]', reason: 'FieldValueInvalid', message: 'Invalid value: "hunter2"' }];
    const error = statusError(
      secretCall,
      status(code, { message: 'data: "hunter2"', details: { kind: 'secrets', causes } }),
    );
    expect(JSON.stringify([error.message, error.causes, error.stack])).not.toContain('hunter2');
    expect(error.message).toContain('data[a b] (FieldValueInvalid)');
  });

  it('says which right a Secret lacks', () => {
    const message = 'secrets is forbidden: User "u" cannot patch resource "secrets"';
    expect(statusError(secretCall, status(403, { message })).message).toContain('cannot patch resource "secrets"');
  });

  it('is one error with a bounded message, whatever the body', () => {
    const value = fc.anything({ maxDepth: 3 });
    const body = fc.oneof(
      fc.string(),
      fc
        .record({ message: value, reason: value, details: fc.oneof(value, fc.record({ kind: value, causes: value })) })
        .map((object) => JSON.stringify(object) ?? ''),
      fc.constant(JSON.stringify({ message: 'x'.repeat(10_000) })),
    );
    fc.assert(
      fc.property(fc.integer({ min: 300, max: 599 }), body, (code, text) => {
        const error = statusError(call, { status: code, body: text });
        expect(error).toBeInstanceOf(KubernetesError);
        expect(error.message.length).toBeLessThan(1_200);
      }),
    );
  });
});
