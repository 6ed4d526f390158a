import { describe, expect, test } from 'vitest';
import { sampleNodegroup, sampleSnapshot } from './sample-snapshots.ts';
import { clusterTemplateSnapshot } from './snapshot.ts';
import { toClusterIntent } from './to-cluster-intent.ts';
import { toUpgradeTarget, upgradedSnapshot } from './upgrade-target.ts';

const template = { labels: { kube_tag: '1.34.1' }, image_id: 'ubuntu-1.34', cluster_distro: 'ubuntu' };

function target(changes: Readonly<Record<string, unknown>>) {
  return toUpgradeTarget(clusterTemplateSnapshot.parse({ ...template, ...changes }));
}

describe('of the new cluster template', () => {
  test('version, image and operating system are read', () => {
    expect(target({})).toMatchObject({
      intent: { kubernetesVersion: 'v1.34.1', image: 'ubuntu-1.34', operatingSystem: 'ubuntu' },
    });
  });

  test('everything that is wrong is told at once', () => {
    const outcome = target({ labels: {}, image_id: null, cluster_distro: 'fedora-coreos' });
    expect('faults' in outcome ? outcome.faults.map(({ field }) => field) : []).toEqual([
      'new_cluster_template.labels.kube_tag',
      'new_cluster_template.image_id',
      'new_cluster_template.cluster_distro',
    ]);
  });

  test.each([
    ['no labels', { labels: null }, 'Label kube_tag of the new cluster template is missing.'],
    ['a list of labels', { labels: ['kube_tag'] }, 'Field labels of the new cluster template holds no labels.'],
    ['labels that are a text', { labels: 'kube_tag=v1' }, 'Field labels of the new cluster template holds no labels.'],
    ['a version that is none', { labels: { kube_tag: 'latest' } }, '"latest" is not a Kubernetes version'],
    ['a version that is an object', { labels: { kube_tag: {} } }, 'is a list or an object instead of text'],
    ['a version without end', { labels: { kube_tag: `v1.${'3'.repeat(10_000)}` } }, 'longer than 4096 characters'],
    ['a version that is blank', { labels: { kube_tag: ' ' } }, 'is missing'],
    ['an image that is a list', { image_id: ['a'] }, 'Field image_id of the new cluster template'],
  ])('%s is a readable fault', (_title, changes, words) => {
    const outcome = target(changes);
    const messages = 'faults' in outcome ? outcome.faults.map(({ message }) => message) : [];
    expect(messages.join('\n')).toContain(words);
    expect(messages.join('\n').length).toBeLessThan(300);
  });
});

describe('the snapshot after an upgrade', () => {
  const snapshot = sampleSnapshot({
    labels: { boot_volume_size: '10' },
    cluster: { stack_id: 'kube-abcde' },
    more: [sampleNodegroup({ image_id: 'gpu-image' }), sampleNodegroup({ name: 'broken', labels: 7, image_id: [] })],
  });
  const to = { kubernetesVersion: 'v1.34.1', image: 'ubuntu-1.34', operatingSystem: 'ubuntu' } as const;

  test('asks for the new version and image everywhere, and keeps the old labels', () => {
    const outcome = toClusterIntent(upgradedSnapshot(snapshot, to, ['default-worker', 'gpu']));
    expect(outcome).toMatchObject({
      intent: {
        kubernetesVersion: 'v1.34.1',
        bootVolume: { size: 10 },
        controlPlane: { image: 'ubuntu-1.34' },
        workers: [
          { name: 'default-worker', image: 'ubuntu-1.34' },
          { name: 'gpu', image: 'ubuntu-1.34', bootVolume: { size: 50 } },
        ],
      },
    });
  });

  test.each([[null], [undefined]])('has the version also where the cluster has no labels (%s)', (labels) => {
    const { cluster } = upgradedSnapshot({ ...snapshot, cluster: { ...snapshot.cluster, labels } }, to, []);
    expect(cluster.labels).toEqual({ kube_tag: 'v1.34.1' });
  });

  test.each([[['a']], ['text'], [7]])('leaves labels that are none to be a fault (%j)', (labels) => {
    const upgraded = upgradedSnapshot({ ...snapshot, cluster: { ...snapshot.cluster, labels } }, to, []);
    const outcome = toClusterIntent(upgraded);
    expect('faults' in outcome ? outcome.faults.map(({ field }) => field) : []).toContain('labels');
  });
});
