import { expect, test } from 'vitest';
import {
  type Condition,
  type ConditionState,
  falseCondition,
  setCondition,
  summary,
  trueCondition,
  unknownCondition,
} from './condition.ts';

const first = new Date('2026-01-01T00:00:00.500Z');
const later = new Date('2026-01-01T00:01:00.000Z');
const waiting = falseCondition('InstanceReady', { reason: 'WaitingForBootstrapData', severity: 'Info' });

function all(...states: readonly ConditionState[]): Condition[] {
  return states.reduce<Condition[]>((conditions, state) => setCondition(conditions, state, first), []);
}

test('A condition says when it last changed, to the second', () => {
  const set = all(waiting);
  expect(set).toEqual([{ ...waiting, lastTransitionTime: '2026-01-01T00:00:00Z' }]);
  expect(setCondition(set, waiting, later)).toEqual(set);
  expect(setCondition(set, trueCondition('InstanceReady'), later)).toEqual([
    { type: 'InstanceReady', status: 'True', lastTransitionTime: '2026-01-01T00:01:00Z' },
  ]);
});

test('An empty message is left out, as the definitions demand', () => {
  expect(waiting).toEqual({
    type: 'InstanceReady',
    status: 'False',
    severity: 'Info',
    reason: 'WaitingForBootstrapData',
  });
});

test('Ready stands first, the others by their type', () => {
  const types = ['RouterReady', 'Ready', 'APIEndpointReady'].map(trueCondition);
  expect(all(...types).map(({ type }) => type)).toEqual(['Ready', 'APIEndpointReady', 'RouterReady']);
});

const error = falseCondition('B', { reason: 'Broken', severity: 'Error', message: 'it broke' });

test.each([
  ['no condition', [], undefined],
  ['conditions out of scope', [trueCondition('C')], undefined],
  ['all well', [trueCondition('A'), trueCondition('B')], trueCondition('Ready')],
  ['one in error', [trueCondition('A'), error], { ...error, type: 'Ready' }],
  ['unknown beside well', [trueCondition('A'), unknownCondition('B', 'Odd', 'who knows')], trueCondition('Ready')],
  [
    'two in error: the first type asked for',
    [falseCondition('A', { reason: 'First', severity: 'Error' }), error],
    falseCondition('Ready', { reason: 'First', severity: 'Error' }),
  ],
  [
    'error before what only waits',
    [falseCondition('A', { reason: 'Waits', severity: 'Info' }), error],
    { ...error, type: 'Ready' },
  ],
])('Ready sums up %s', (_, states, expected) => {
  expect(summary(all(...states), ['A', 'B'])).toEqual(expected);
});
