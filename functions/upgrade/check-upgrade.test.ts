import { describe, expect, test } from 'vitest';
import { RejectedError } from '../../shared/contract/errors.ts';
import { parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { openRecord, recordAnnotation } from '../../shared/kubernetes/operation-record.ts';
import type { UpgradeTarget } from '../../shared/magnum/upgrade-target.ts';
import { checkOperatingSystem, checkUpgrade, versionNotes } from './check-upgrade.ts';

interface Situation {
  readonly version?: string;
  readonly operatingSystem?: string;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly generation?: number;
  readonly condition?: Readonly<Record<string, unknown>>;
}

const reconciled = { type: 'TopologyReconciled', status: 'True', reason: 'ReconcileSucceeded', observedGeneration: 3 };

function live({ version = 'v1.33.4', operatingSystem, ...others }: Situation = {}) {
  const { annotations = {}, generation = 3, condition = {} } = others;
  const variables = operatingSystem === undefined ? [] : [{ name: 'operatingSystem', value: operatingSystem }];
  return parseLiveCluster({
    metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1', generation, annotations },
    spec: { topology: { classRef: { name: 'c' }, version, variables } },
    status: { conditions: [{ ...reconciled, ...condition }] },
  });
}

function target(kubernetesVersion: string): UpgradeTarget {
  return { kubernetesVersion, image: 'image', operatingSystem: 'ubuntu' };
}

function refusal(check: () => void): RejectedError {
  try {
    check();
  } catch (error) {
    if (error instanceof RejectedError) return error;
    throw error;
  }
  throw new Error('Nothing was refused.');
}

describe('a version', () => {
  test.each([
    ['the same', 'v1.33.4', 'v1.33.4'],
    ['a patch more', 'v1.33.4', 'v1.33.5'],
    ['a minor more', 'v1.33.4', 'v1.34.0'],
    ['a minor and more patches', 'v1.33.4', 'v1.34.99'],
    ['the same with another build', 'v1.33.4', 'v1.33.4+vendor.1'],
    ['from a pre-release to its release', 'v1.33.4-rc.1', 'v1.33.4'],
    ['from one that nobody supports any more', 'v1.27.0', 'v1.28.0'],
    ['from minor 9 to 10', 'v1.9.0', 'v1.10.0'],
  ])('may be %s', (_title, from, to) => {
    checkUpgrade(live({ version: from }), target(to));
  });

  test.each([
    ['a patch less', 'v1.33.4', 'v1.33.3', 'it cannot go back to v1.33.3'],
    ['a minor less', 'v1.33.4', 'v1.32.9', 'it cannot go back to v1.32.9'],
    ['minor 9 after 10', 'v1.10.0', 'v1.9.9', 'it cannot go back to v1.9.9'],
    ['two minors more', 'v1.31.0', 'v1.33.0', 'it cannot skip v1.32 on the way to v1.33.0'],
    ['ten minors more', 'v1.26.0', 'v1.36.0', 'it cannot skip v1.27 on the way to v1.36.0'],
  ])('may not be %s', (_title, from, to, words) => {
    const { code, message, faults } = refusal(() => checkUpgrade(live({ version: from }), target(to)));
    expect(code).toBe('invalid_label');
    expect(message).toBe(`The cluster runs ${from}: ${words}.`);
    expect(faults[0].field).toBe('new_cluster_template.labels.kube_tag');
  });

  test('may not be newer than the add-ons', () => {
    const { code, message } = refusal(() => checkUpgrade(live({ version: 'v1.36.1' }), target('v1.37.0')));
    expect(code).toBe('unsupported');
    expect(message).toBe('The driver does not support Kubernetes v1.37.0: it supports v1.30 to v1.36.');
  });

  test.each([
    ['v1.29.0', 1],
    ['v1.30.0', 0],
  ])('older than the add-ons is a note: %s', (version, notes) => {
    expect(versionNotes(target(version))).toHaveLength(notes);
  });
});

const event = { id: 'e', time: '2026-11-29T10:00:00Z' };
const upgrading = { [recordAnnotation(null)]: JSON.stringify(openRecord(event, 'cluster.upgrade', 90)) };
const closed = JSON.stringify({ ...openRecord(event, 'cluster.upgrade', 90), completed: event.time });
const unseen = { observedGeneration: 2 };

describe('an operation that goes on', () => {
  test.each<[string, Situation, string]>([
    ['an upgrade', { condition: { status: 'False', reason: 'ClusterUpgrading' } }, 'still being upgraded to v1.33.4'],
    ['a creation', { condition: { status: 'False', reason: 'ClusterCreating' } }, 'still being created'],
    ['an upgrade that Cluster API has not seen', { annotations: upgrading, condition: unseen }, 'upgraded to v1.33.4'],
    ['one without any condition', { annotations: upgrading, condition: { type: 'Other' } }, 'upgraded to v1.33.4'],
  ])('such as %s keeps the version from being changed', (_title, situation, words) => {
    const { code, message } = refusal(() => checkUpgrade(live(situation), target('v1.34.1')));
    expect(code).toBe('in_progress');
    expect(message).toContain(words);
  });

  test.each<[string, Situation]>([
    [
      'an upgrade to the same version',
      { condition: { status: 'False', reason: 'ClusterUpgrading' }, version: 'v1.34.1' },
    ],
    ['an upgrade that Cluster API has carried out', { annotations: upgrading }],
    ['a resize that Cluster API has not seen', { condition: unseen }],
    ['an upgrade that has ended', { annotations: { [recordAnnotation(null)]: closed }, condition: unseen }],
    ['a topology that failed', { condition: { status: 'False', reason: 'ReconcileFailed' } }],
    ['a record that is none', { annotations: { [recordAnnotation(null)]: '[]' }, condition: unseen }],
  ])('such as %s does not', (_title, situation) => {
    checkUpgrade(live(situation), target('v1.34.1'));
  });
});

describe('an operating system', () => {
  test('that the machines do not have is refused', () => {
    const check = () => checkOperatingSystem(live({ operatingSystem: 'flatcar' }), 'ubuntu', target('v1.34.1'));
    const { message } = refusal(check);
    expect(message).toBe("The cluster's machines run flatcar: an image of ubuntu cannot take their place.");
  });

  test('is that of the old template where the Cluster does not say it', () => {
    checkOperatingSystem(live(), 'ubuntu', target('v1.34.1'));
    expect(refusal(() => checkOperatingSystem(live(), 'debian', target('v1.34.1'))).message).toContain('run debian');
  });
});
