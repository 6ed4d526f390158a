import { expect, test } from 'vitest';
import { ForbiddenError } from '../../shared/kubernetes/errors.ts';
import { type Check, failure, good, warning } from './check.ts';
import { runChecks } from './run-checks.ts';
import type { Surroundings } from './surroundings.ts';

const texts = { description: 'What.', remedy: 'Do.' };
/** None of these checks looks at anything. */
const nothing = Object.freeze(Object.create(null)) as Surroundings;
const run = (...checks: readonly Check[]) => runChecks(checks, nothing, () => AbortSignal.timeout(1_000));

test('a check waits for those that it needs, and is skipped where one is not good', async () => {
  const results = await run(
    { id: 'namespace', ...texts, run: async () => [failure('It is missing.')] },
    { id: 'functions', ...texts, needs: ['namespace'], run: () => Promise.reject(new Error('It ran.')) },
    { id: 'images', ...texts, needs: ['functions', 'namespace'], run: () => Promise.reject(new Error('It ran.')) },
  );
  expect(results.map(({ verdict }) => verdict)).toEqual(['failed', 'skipped', 'skipped']);
  expect(results[2]?.findings).toEqual([{ verdict: 'skipped', message: 'It needs functions, namespace.' }]);
});

test('a warning holds nothing up', async () => {
  const results = await run(
    { id: 'namespace', ...texts, run: async () => [warning('It is odd.')] },
    { id: 'functions', ...texts, needs: ['namespace'], run: async () => [good('They are there.')] },
  );
  expect(results.map(({ verdict }) => verdict)).toEqual(['warning', 'ok']);
});

test('the worst finding counts', async () => {
  const findings = [good('This is there.'), failure('That is not.'), warning('This is odd.')];
  const [result] = await run({ id: 'events', ...texts, run: async () => findings });
  expect(result).toMatchObject({ verdict: 'failed', findings });
});

test('what may not be read is unknown, and what cannot be read has failed', async () => {
  const results = await run(
    { id: 'rights', ...texts, run: () => Promise.reject(new ForbiddenError('Cannot list Role: no', {})) },
    { id: 'events', ...texts, run: () => Promise.reject(new Error('no connection')) },
  );
  expect(results.map(({ findings }) => findings)).toEqual([
    [{ verdict: 'unknown', message: 'Cannot list Role: no.' }],
    [{ verdict: 'failed', message: 'It could not be checked: no connection.' }],
  ]);
});
