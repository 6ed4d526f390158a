import { describe, expect, test } from 'vitest';
import { sampleNodegroup, sampleSnapshot } from '../../shared/magnum/sample-snapshots.ts';
import { clusterTemplateSnapshot } from '../../shared/magnum/snapshot.ts';
import { templateNotes } from './template-notes.ts';

interface Situation {
  readonly labels?: unknown;
  readonly fields?: Readonly<Record<string, unknown>>;
  readonly call?: Readonly<Record<string, unknown>>;
}

const ownLabels = { boot_volume_size: '20', calico_tag: 'v3.32.1' };

function notes({ labels = ownLabels, fields = {}, call = {} }: Situation): readonly string[] {
  const snapshot = sampleSnapshot({ labels: ownLabels, template: { docker_volume_size: 10, fixed_network: 'inner' } });
  const context = { user_id: 'u', project_id: 'p', auth_url: 'https://keystone.example.org/v3' };
  const template = clusterTemplateSnapshot.parse({
    ...snapshot.cluster_template,
    ...fields,
    labels: isMap(labels) ? { ...labels, kube_tag: 'v1.34.1' } : labels,
  });
  return templateNotes({
    ...snapshot,
    nodegroups: [...snapshot.nodegroups],
    context,
    new_cluster_template: template,
    ...call,
  });
}

function isMap(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const ignored = 'An upgrade takes only kube_tag and image_id of the new template, not its';

describe('of the new template', () => {
  test('another version and image are no note', () => {
    expect(notes({ fields: { image_id: 'other', name: 'new', uuid: 'u', id: 7 } })).toEqual([]);
  });

  test.each<[string, unknown, string]>([
    ['another value', { ...ownLabels, boot_volume_size: '50' }, 'boot_volume_size'],
    ['a further label', { ...ownLabels, etcd_volume_size: '5' }, 'etcd_volume_size'],
    ['a label that is gone', { calico_tag: 'v3.32.1' }, 'boot_volume_size'],
    ['no labels at all', null, 'boot_volume_size, calico_tag'],
    ['a list of labels', ['boot_volume_size'], 'boot_volume_size, calico_tag'],
    ['a value that is an object', { ...ownLabels, calico_tag: { a: 1 } }, 'calico_tag'],
    ['a label of an odd name', { ...ownLabels, 'a "b"\n': 'x' }, '"a \\"b\\"\\n"'],
  ])('labels that are not applied are named: %s', (_title, labels, names) => {
    expect(notes({ labels })).toEqual([`${ignored} labels ${names}.`]);
  });

  test('a number that is a text elsewhere is the same', () => {
    expect(notes({ labels: { ...ownLabels, boot_volume_size: 20 } })).toEqual([]);
  });

  test('what the cluster has anyway is no note', () => {
    expect(notes({ labels: ownLabels, fields: { docker_volume_size: null, fixed_network: '' } })).toEqual([]);
  });

  test('fields that are not applied are named', () => {
    const fields = { network_driver: 'cilium', flavor_id: 'm9.huge', external_network_id: 'other', coe: 'swarm' };
    expect(notes({ fields })).toEqual([`${ignored} fields coe, network_driver, external_network_id, flavor_id.`]);
  });

  test('a thousand long names make one note of bounded length', () => {
    const labels = Object.fromEntries(
      Array.from({ length: 1_000 }, (_, index) => [`${index}${'x'.repeat(10_000)}`, '']),
    );
    const many = Object.fromEntries(Object.keys(labels).map((name) => [name, 'y']));
    const [note = '', ...others] = notes({ labels: { ...ownLabels, ...many } });
    expect(others).toEqual([]);
    expect(note.length).toBeLessThan(900);
    expect(note).toMatch(/ and 990 more\.$/);
  });
});

describe('of the call', () => {
  test.each([
    ['one machine at a time', { max_batch_size: 1 }],
    ['no batch', { max_batch_size: null }],
    ['the default nodegroup', { nodegroup: sampleNodegroup({ name: 'default-worker', is_default: true }) }],
    ['no nodegroup', { nodegroup: null }],
  ])('%s is no note', (_title, call) => {
    expect(notes({ call })).toEqual([]);
  });

  test('a batch is not used', () => {
    expect(notes({ call: { max_batch_size: 3 } })).toEqual([
      'max_batch_size 3 is not used: machines of a nodegroup are replaced one by one.',
    ]);
  });

  test('another nodegroup is not the only one', () => {
    expect(notes({ call: { nodegroup: sampleNodegroup() } })).toEqual([
      'All nodegroups are upgraded, not only gpu: a cluster has one version.',
    ]);
  });
});
