import { describe, expect, test } from 'vitest';
import { InvalidError } from '../../shared/kubernetes/errors.ts';
import { exampleIntent, exampleNodegroup } from './example-intent.ts';
import { type Situation, useTopologyController } from './topology-stage.ts';

const controller = useTopologyController();
const plain = exampleIntent();

/** `count` names, each different from the others. */
const names = (count: number) => Array.from({ length: count }, (_, index) => `api-${index}.example.com`);
const labels = (length: number): Situation => ({
  intent: {
    workers: [exampleNodegroup({ nodeLabels: { a: '', [`${'b'.repeat(63)}.example.com/c`]: '', ...filler(length) } })],
  },
});

/** Labels that fill an argument up to a length. */
function filler(length: number): Record<string, string> {
  const taken = `a=,${'b'.repeat(63)}.example.com/c=`.length;
  const whole = Math.floor((length - taken) / 64);
  const rest = length - taken - whole * 64;
  const entries = Array.from({ length: whole }, (_, index) => [`k${index + 10}`, 'v'.repeat(59)]);
  return Object.fromEntries(rest < 3 ? entries : [...entries, ['z', 'v'.repeat(rest - 3)]]);
}

describe('a Cluster is refused as it is written', () => {
  test.each<[string, Situation, RegExp]>([
    ['labels that do not fit into one argument', labels(1025), /nodeLabels.*1024/s],
    [
      'more names than a certificate takes',
      { intent: { apiServer: { ...plain.apiServer, certSans: names(97) } } },
      /apiServerSANs/,
    ],
    [
      'proxy exceptions that do not fit into a file',
      { intent: { proxy: { http: 'http://proxy', https: null, noProxy: 'x'.repeat(4_000) } } },
      /systemdProxyConfig.*10240/s,
    ],
  ])('with %s', async (_title, situation, message) => {
    const writing = controller.reconcile([situation]);
    await expect(writing).rejects.toThrow(InvalidError);
    await expect(writing).rejects.toThrow(message);
  });

  test('but not at the limits themselves', async () => {
    const atLimits: Situation = {
      intent: {
        ...labels(1024).intent,
        apiServer: { ...plain.apiServer, certSans: names(96) },
        proxy: { http: 'http://proxy', https: null, noProxy: 'x'.repeat(3_700) },
      },
    };
    expect(await controller.reconcile([atLimits])).toHaveLength(1);
  });
});
