import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { waitFor } from '../env/wait-for.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { type RunningCluster, rejected, runningCluster } from './running-cluster.ts';

const stage = stageOfFile();

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await runningCluster(stage());
}, 120_000);
beforeEach(() => stage().cloud.faults.clear());

type Fields = Readonly<Record<string, unknown>>;

/** The rejection of an upgrade, whose template Magnum does not take over then. */
function rejection(version: string | null, fields: Fields = {}) {
  const event = cluster.magnum.upgrade(version ?? 'v1.34.1', fields);
  cluster.magnum.upgrade('v1.33.4', { labels: { kube_tag: 'v1.33.4' }, ...original });
  return rejected(stage(), cluster, event);
}

const original = { image_id: 'ubuntu-2204-kube-v1.30', cluster_distro: 'ubuntu' };

describe('an upgrade that cannot be carried out leaves the Cluster as it is:', () => {
  test.each<[string, string | null, Fields, string, string]>([
    [
      'a template without version',
      null,
      { labels: {} },
      'invalid_label',
      'Label kube_tag of the new cluster template is missing.',
    ],
    ['one that goes back', 'v1.32.9', {}, 'invalid_label', 'it cannot go back to v1.32.9'],
    ['one that skips a minor', 'v1.35.0', {}, 'invalid_label', 'it cannot skip v1.34 on the way to v1.35.0'],
    ['one to a version that is none', 'newest', {}, 'invalid_label', '"newest" is not a Kubernetes version'],
    [
      'a template without image',
      'v1.34.1',
      { image_id: null },
      'invalid_field',
      'Field image_id of the new cluster template is missing',
    ],
    ['an image that is gone', 'v1.34.1', { image_id: 'lost' }, 'not_found', 'Field new_cluster_template.image_id'],
    [
      'an image of which there are two',
      'v1.34.1',
      { image_id: 'same-name' },
      'ambiguous',
      'Field new_cluster_template.image_id',
    ],
    [
      'another operating system',
      'v1.34.1',
      { cluster_distro: 'flatcar' },
      'invalid_field',
      "The cluster's machines run ubuntu: an image of flatcar",
    ],
    ['labels that are a list', 'v1.34.1', { labels: ['kube_tag'] }, 'invalid_field', 'holds no labels'],
    ['labels that are null', 'v1.34.1', { labels: null }, 'invalid_label', 'is missing'],
    [
      'a version of 10,000 characters',
      `v1.34.${'1'.repeat(10_000)}`,
      {},
      'invalid_label',
      'is longer than 4096 characters',
    ],
    ['a version with a line break', 'v1.34.1\nv1.34.2', {}, 'invalid_label', 'has line breaks'],
    [
      'an image of 10,000 characters',
      'v1.34.1',
      { image_id: 'x'.repeat(10_000) },
      'invalid_field',
      'is longer than 4096 characters',
    ],
  ])('%s', async (_title, version, fields, code, words) => {
    const found = await rejection(version, fields);
    expect(found.code).toBe(code);
    expect(found.message).toContain(words);
    expect(found.message.length).toBeLessThan(500);
  });

  test('an image that is not active', async () => {
    const image = stage().cloud.state.images.find(({ name }) => name === 'ubuntu-2204-kube-v1.31');
    if (image === undefined) throw new Error('The cloud lacks the image.');
    Object.assign(image, { status: 'deactivated' });
    const found = await rejection('v1.34.1', { image_id: image.name });
    Object.assign(image, { status: 'active' });
    expect(found).toMatchObject({ code: 'not_found', message: expect.stringContaining('is deactivated') });
  });

  test('a flavor that is gone', async () => {
    const { flavors } = stage().cloud.state;
    const index = flavors.findIndex(({ name }) => name === 'm1.medium');
    const [flavor] = flavors.splice(index, 1);
    const found = await rejection('v1.34.1');
    flavors.push(...(flavor === undefined ? [] : [flavor]));
    expect(found.code).toBe('not_found');
    expect(found.message).toContain('m1.medium');
  });

  test("the cluster's credential is revoked", async () => {
    const { applicationCredentials } = stage().cloud.state;
    const index = applicationCredentials.findIndex(({ name }) => name.startsWith(cluster.magnum.uuid));
    const [credential] = applicationCredentials.splice(index, 1);
    const found = await rejection('v1.34.1');
    applicationCredentials.push(...(credential === undefined ? [] : [credential]));
    expect(found).toMatchObject({ code: 'permission_denied' });
  });

  test('an update in place', async () => {
    const event = { ...cluster.magnum.upgrade('v1.33.4', original), type: 'org.openstack.magnum.cluster.update.v1' };
    expect(await rejected(stage(), cluster, event)).toMatchObject({
      code: 'unsupported',
      message: 'The driver does not update a cluster in place.',
      hint: expect.stringContaining('upgrade'),
    });
  });

  test('a rotation of its certificate authorities', async () => {
    const event = { ...cluster.magnum.upgrade('v1.33.4', original), type: 'org.openstack.magnum.cluster.ca.rotate.v1' };
    expect(await rejected(stage(), cluster, event)).toMatchObject({ code: 'unsupported' });
  });

  test('an event that is older than the last one', async () => {
    const old = { ...cluster.magnum.upgrade('v1.33.4', original), time: '2020-01-01T00:00:00Z' };
    expect(await rejected(stage(), cluster, old)).toMatchObject({ code: 'superseded' });
  });

  test('the cloud does not answer, so it is to be sent again', async () => {
    stage().cloud.faults.inject({ service: 'image', status: 503, times: 20 });
    const event = cluster.magnum.upgrade('v1.33.4', original);
    expect((await stage().sendOnce(event)).status).toBe(503);
    stage().cloud.faults.clear();
    acceptedStackId(await stage().send(event));
  });
});

describe('an upgrade while the one before', () => {
  test('is not seen yet, or is under way, has to wait', async () => {
    const own = await runningCluster(stage());
    acceptedStackId(await stage().send(own.magnum.upgrade('v1.34.1')));
    const event = own.magnum.upgrade('v1.35.0');
    const answers = [await stage().send(event), await rejected(stage(), own, event)];
    expect(answers[0]).toMatchObject({ data: { code: 'in_progress' } });
    expect(answers[1]).toMatchObject({
      code: 'in_progress',
      message: 'The cluster is still being upgraded to v1.34.1.',
    });
  });

  test('that only Cluster API knows of goes on has to wait too', async () => {
    const { magnum, read, name } = await runningCluster(stage());
    // Its machines are said to be of an older version, by whoever writes last.
    await waitFor(() => writeVersion(name, 'v1.32.0'), { what: `the older version of ${name}` });
    const event = magnum.upgrade('v1.34.1');
    const { version } = (await read()).spec.topology;
    const answer = await stage().send(event);
    expect(answer.data).toMatchObject({ code: 'in_progress', message: expect.stringMatching(/^[A-Z].*\.$/) });
    expect((await read()).spec.topology.version).toBe(version);
  });
});

async function writeVersion(name: string, version: string): Promise<void> {
  const path = '/apis/controlplane.cluster.x-k8s.io/v1beta2/namespaces/magnum-system/kubeadmcontrolplanes';
  const { items } = (await stage().api.call('GET', path)) as {
    readonly items: readonly { readonly metadata: { readonly name: string }; readonly status: object }[];
  };
  const found = items.find(({ metadata }) => metadata.name.startsWith(name));
  const status = { ...found?.status, version };
  await stage().api.call('PUT', `${path}/${found?.metadata.name}/status`, { ...found, status });
}
