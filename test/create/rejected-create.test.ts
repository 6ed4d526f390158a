import { beforeEach, describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { stackId } from '../../shared/magnum/stack-id.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type ClusterChanges, createEvent } from '../functions/create-event.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { acceptedStackId, sendEvent } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';

const stage = stageOfFile();

beforeEach(() => stage().cloud.faults.clear());

/** Sends a create that is to be rejected, and checks that it has left nothing. */
async function rejection(
  changes: ClusterChanges,
): Promise<{ code: string; message: string; faults: { field?: string }[] }> {
  const event = await createEvent(stage().cloud, changes);
  const answer = await stage().send(event);
  expect(answer).toMatchObject({ status: 200, type: 'org.openstack.magnum.operation.rejected.v1' });
  await expectNothingLeft(event.subject);
  return answer.data as Awaited<ReturnType<typeof rejection>>;
}

async function expectNothingLeft(uuid: string): Promise<void> {
  const name = stackId(uuid, 0);
  expect(await objectsOf(stage().kubernetes, resources.secret, name)).toEqual([]);
  expect(await objectsOf(stage().kubernetes, resources.cluster, name)).toEqual([]);
  expect(await stage().kubernetes.find(resources.lease, { namespace, name: `cluster-${uuid}` })).toBeUndefined();
  const { serverGroups, applicationCredentials } = stage().cloud.state;
  expect(serverGroups.filter((group) => group.name.startsWith(name))).toEqual([]);
  expect(applicationCredentials.filter((credential) => credential.name.startsWith(uuid))).toEqual([]);
}

describe('a request that cannot be carried out', () => {
  test('is rejected with all faults of its labels and fields at once, before anything is asked of the cloud', async () => {
    stage().cloud.requests.length = 0;
    const { message, faults } = await rejection({
      cluster: { master_count: 2, fixed_subnet: 'inner' },
      labels: { kube_tag: null, boot_volume_size: '10GB', audit_log_enabled: 'perhaps' },
    });
    for (const word of ['kube_tag', 'boot_volume_size', 'audit_log_enabled', 'master_count', 'fixed_subnet']) {
      expect(message).toContain(word);
    }
    expect(faults.length).toBeGreaterThanOrEqual(5);
    expect(stage().cloud.requests).toEqual([]);
  });

  test('is rejected with all names that the cloud does not know', async () => {
    const { faults } = await rejection({
      cluster: { keypair: 'lost', fixed_network: 'nowhere', master_flavor_id: 'm9.huge' },
      cluster_template: { external_network_id: 'outer space' },
      workers: { flavor_id: 'm8.huge', image_id: 'windows-95' },
      labels: { boot_volume_size: '10', boot_volume_type: 'tape', etcd_volume_size: '5', etcd_volume_type: 'drum' },
    });
    expect(faults.map(({ field }) => field).toSorted()).toEqual([
      'cluster.fixed_network',
      'cluster.keypair',
      'cluster.master_flavor_id',
      'cluster_template.external_network_id',
      'labels.boot_volume_type',
      'labels.etcd_volume_type',
      'nodegroups.default-worker.flavor_id',
      'nodegroups.default-worker.image_id',
    ]);
  });

  test('is rejected for a flavor without disk when no boot volume is asked for', async () => {
    const { message } = await rejection({ workers: { flavor_id: 'diskless' } });
    expect(message).toContain('"diskless" has no disk and label boot_volume_size is not set');
  });

  test('is rejected when an image has several matches', async () => {
    const { images } = stage().cloud.state;
    const twice = images.find((image) => images.some((other) => other !== image && other.name === image.name));
    expect(await rejection({ workers: { image_id: twice?.name } })).toMatchObject({ code: 'ambiguous' });
  });

  test('is rejected when the token comes from a restricted application credential', async () => {
    const token = stage().cloud.issueToken({ user: 'demo', project: 'demo', restricted: true });
    const { code, message } = await rejection({ token });
    expect(code).toBe('permission_denied');
    expect(message).toContain('restricted application credential');
  });

  test.each([
    ['is unknown to Keystone', 'gAAAAA-unknown'],
    ['is no token at all', 'x'],
  ])('is rejected when the token %s', async (_title, token) => {
    expect(await rejection({ token })).toMatchObject({ code: 'permission_denied' });
  });

  test("is rejected when the token is for another project than the cluster's", async () => {
    const token = stage().cloud.issueToken({ user: 'admin', project: 'admin' });
    expect(await rejection({ token })).toMatchObject({ code: 'permission_denied' });
  });
});

describe('a request that the cloud refuses half-way', () => {
  test.each([
    ['its first server group', { service: 'compute', method: 'POST', path: '/os-server-groups' }],
    ['its application credential', { service: 'identity', method: 'POST', path: '/application_credentials' }],
  ])('over %s is rejected and leaves nothing', async (_what, target) => {
    stage().cloud.faults.inject({ ...target, status: 403, message: 'Quota exceeded, too many of them.' });
    expect(await rejection({})).toMatchObject({ code: 'quota_exceeded' });
  });

  test('over its second server group is rejected and leaves nothing', async () => {
    const isWorkerGroup = ({ body }: { body: string }) => body.includes('default-worker');
    const message = 'Quota exceeded, too many server groups.';
    stage().cloud.faults.inject({ service: 'compute', method: 'POST', when: isWorkerGroup, status: 403, message });
    expect(await rejection({})).toMatchObject({ code: 'quota_exceeded' });
  });
});

describe('a request that finds the cloud in trouble', () => {
  test.each([
    ['does not answer in time', { status: 504 }],
    ['is overloaded', { status: 503 }],
    ['has a defect', { status: 500 }],
    ['cuts connections', { cut: 'before' as const }],
  ])('because it %s is to be sent again, and then succeeds', async (_title, fault) => {
    const event = await createEvent(stage().cloud);
    stage().cloud.faults.inject({ service: 'compute', method: 'POST', path: '/os-server-groups', times: 20, ...fault });
    const refused = await stage().sendOnce(event);
    expect(refused.status).toBe(503);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    stage().cloud.faults.clear();
    acceptedStackId(await stage().send(event));
  });

  test('because it loses the answer to a creation leaves one of each thing when it is sent again', async () => {
    const event = await createEvent(stage().cloud);
    stage().cloud.faults.inject({
      service: 'identity',
      method: 'POST',
      path: '/application_credentials',
      cut: 'after',
    });
    stage().cloud.faults.inject({ service: 'compute', method: 'POST', path: '/os-server-groups', cut: 'after' });
    const name = acceptedStackId(await stage().send(event));
    const { serverGroups, applicationCredentials } = stage().cloud.state;
    expect(serverGroups.filter((group) => group.name.startsWith(name))).toHaveLength(2);
    expect(applicationCredentials.filter((credential) => credential.name.startsWith(event.subject))).toHaveLength(1);
  });
});

describe('a request of somebody', () => {
  test.each([
    ['without a token is refused with 401', () => undefined, 401],
    ['with a token that was not issued for the functions is refused with 401', () => stage().access.functionToken, 401],
    ['who may not invoke the function is refused with 403', () => stage().access.strangerToken, 403],
  ])('%s', async (_title, token, status) => {
    const event = await createEvent(stage().cloud);
    expect((await sendEvent((await stage().processOf('create')).url, event, token())).status).toBe(status);
    await expectNothingLeft(event.subject);
  });
});

test('no secret of a request or of the cloud reaches a log line or a reply', async () => {
  const event = await createEvent(stage().cloud);
  const rejected = await createEvent(stage().cloud, { labels: { boot_volume_size: 'x' } });
  stage().cloud.faults.inject({ service: 'identity', method: 'POST', status: 500, times: 3 });
  const answers = [await stage().send(event), await stage().send(event), await stage().send(rejected)];
  const certificates = Object.values(event.data['certificates'] as Record<string, { private_key: string }>);
  const secrets = [
    event.data.context['token'],
    rejected.data.context['token'],
    stage().access.callerToken,
    stage().access.functionToken,
    ...certificates.map(({ private_key }) => private_key.split('\n')[1]),
    ...stage().cloud.state.applicationCredentials.map(({ secret }) => secret),
  ];
  const seen = [
    ...(await stage().processOf('create')).logLines,
    ...answers.map((answer) => JSON.stringify(answer)),
  ].join('\n');
  expect(seen).toContain(event.id);
  for (const secret of secrets) {
    expect(String(secret).length).toBeGreaterThan(20);
    expect(seen).not.toContain(secret);
  }
});
