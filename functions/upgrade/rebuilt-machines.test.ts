import { describe, expect, test } from 'vitest';
import { parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { rebuiltMachines } from './rebuilt-machines.ts';

const className = 'magnum-v0.1.0-0123abcd';

interface Situation {
  readonly className?: string;
  readonly version?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  readonly workers?: readonly { readonly name: string; readonly overrides?: object; readonly failureDomain?: string }[];
}

function topology({ variables = {}, workers = [], ...others }: Situation) {
  const { spec } = parseLiveCluster({
    metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1' },
    spec: {
      topology: {
        classRef: { name: others.className ?? className },
        version: others.version ?? 'v1.33.4',
        variables: listOf(variables),
        workers: {
          machineDeployments: workers.map(({ overrides = {}, ...entry }) => ({
            ...entry,
            variables: { overrides: listOf(overrides) },
          })),
        },
      },
    },
  });
  return spec.topology;
}

function listOf(values: object) {
  return Object.entries(values).map(([name, value]) => ({ name, value }));
}

function note(before: Situation, after: Situation): string {
  return rebuiltMachines(topology(before), topology(after)).join('\n');
}

const nothing = 'No machine is rebuilt.';
const because = 'Although the version stays, machines are rebuilt: ';

describe('of machines that are rebuilt', () => {
  test('nothing is said where the version changes: all are', () => {
    expect(rebuiltMachines(topology({}), topology({ version: 'v1.34.1', variables: { imageUUID: 'b' } }))).toEqual([]);
  });

  test.each<[string, Situation, Situation]>([
    ['nothing differs', { variables: { imageUUID: 'a' } }, { variables: { imageUUID: 'a' } }],
    ['a default is written out', {}, { variables: { sshKeyName: '', nodeTaints: [], apiServerSANs: '' } }],
    [
      'an own value is the same as the common',
      { variables: { imageUUID: 'a' }, workers: [{ name: 'w' }] },
      { variables: { imageUUID: 'a' }, workers: [{ name: 'w', overrides: { imageUUID: 'a' } }] },
    ],
    ['only the network differs', {}, { variables: { dnsNameservers: ['1.1.1.1'], nodeCidr: '10.9.0.0/24' } }],
    ['only the release of the class differs', {}, { className: 'magnum-v9.9.9-rc.1-0123abcd' }],
    [
      'keys stand in another order',
      { variables: { bootVolume: { size: 1, type: 'a' } } },
      { variables: { bootVolume: { type: 'a', size: 1 } } },
    ],
  ])('there are none where %s', (_title, before, after) => {
    expect(note(before, after)).toBe(nothing);
  });

  test.each<[string, Situation, Situation, string]>([
    [
      'masters by their flavor',
      {},
      { variables: { controlPlaneFlavor: 'big' } },
      'default-master (controlPlaneFlavor)',
    ],
    [
      'all by their image',
      { workers: [{ name: 'w' }] },
      { variables: { imageUUID: 'b' }, workers: [{ name: 'w' }] },
      'default-master (imageUUID); w (imageUUID)',
    ],
    [
      'one group by its own values',
      { workers: [{ name: 'v' }, { name: 'w' }] },
      { workers: [{ name: 'v' }, { name: 'w', overrides: { flavor: 'big', nodeLabels: 'a=b' } }] },
      'w (flavor, nodeLabels)',
    ],
    [
      'one group by its zone',
      { workers: [{ name: 'w', failureDomain: 'az1' }] },
      { workers: [{ name: 'w' }] },
      'w (failureDomain)',
    ],
    [
      'a group that lost an own value',
      { workers: [{ name: 'w', overrides: { imageUUID: 'a' } }] },
      { workers: [{ name: 'w' }] },
      'w (imageUUID)',
    ],
  ])('are named: %s', (_title, before, after, expected) => {
    expect(note(before, after)).toBe(`${because}${expected}.`);
  });

  test('of many groups ten are named', () => {
    const workers = Array.from({ length: 30 }, (_, index) => ({ name: `w${index}` }));
    const text = note({ workers }, { workers, variables: { imageUUID: 'b' } });
    expect(text).toMatch(/; w8 \(imageUUID\) and 21 more\.$/);
    expect(text.length).toBeLessThan(400);
  });

  test.each([
    ["another driver's class", 'magnum-v0.38.1'],
    ['another content of the driver', 'magnum-v0.1.0-fedcba98'],
    ['a class of no release', 'my-class'],
  ])('any may be among them after %s', (_title, former) => {
    expect(note({ className: former }, {})).toBe(
      `The cluster moves to class ${className}: all its machines may be rebuilt.`,
    );
  });

  test('a class that is no driver’s is the same as itself', () => {
    expect(note({ className: 'my-class' }, { className: 'my-class' })).toBe(nothing);
  });
});
