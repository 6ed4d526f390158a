import { expect, test, vi } from 'vitest';
import { resources } from '../../../shared/kubernetes/resources.ts';
import { capoStageOfFile, conditionsOf, type MachineOptions } from './capo-stage.ts';
import type { FaultRule } from './fault-rules.ts';

const stage = capoStageOfFile();
const { openStackCluster, openStackMachine, openStackServer } = resources;
const limit = { timeout: 30_000, interval: 100 };

/** What an OpenStackMachine says as long as its server is not ready, whatever is wrong with that. */
const silent = ['Ready', 'InstanceReady'].map((type) => {
  return { type, status: 'False', severity: 'Info', reason: 'WaitingForBootstrapData' };
});

async function startMachine(cluster: string, name: string, options?: MachineOptions): Promise<void> {
  const { get, createCluster, createMachine, bootstrap } = stage();
  await createCluster(cluster);
  await createMachine(cluster, name, options);
  await vi.waitFor(
    async () => expect((await get(openStackCluster, cluster)).status).toMatchObject({ ready: true }),
    limit,
  );
  await vi.waitFor(async () => expect(conditionsOf(await get(openStackMachine, name))).toEqual(silent), limit);
  await bootstrap(name);
}

function failure(reason: string, message?: string): unknown[] {
  const state = { status: 'False', severity: 'Error', reason, ...(message === undefined ? {} : { message }) };
  return ['Ready', 'InstanceReady'].map((type) => ({ type, ...state }));
}

async function expectServer(name: string, conditions: unknown[], status: object): Promise<void> {
  await vi.waitFor(async () => {
    const server = await stage().get(openStackServer, name);
    expect(conditionsOf(server)).toEqual(conditions);
    expect(server.status).toMatchObject(status);
  }, limit);
  expect(conditionsOf(await stage().get(openStackMachine, name))).toEqual(silent);
}

async function expectWarning(name: string, warning: string): Promise<void> {
  await vi.waitFor(async () => {
    const events = await stage().events(name);
    expect(events.filter((event) => event.startsWith('Warning '))).toEqual([warning]);
  }, limit);
}

function refusedCreation(status: number, body: string): string {
  const { authUrl } = stage().cloud;
  const url = authUrl.replace('/identity', '/compute/v2.1/servers');
  return `Expected HTTP response code [200 202] when accessing [POST ${url}], but got ${status} instead: ${body}`;
}

async function replaced(name: string): Promise<void> {
  await stage().remove(resources.machine, name);
  await stage().gone(openStackServer, name);
  await stage().gone(openStackMachine, name);
}

test('A quota is named on the OpenStackServer alone, and more quota does not heal what was refused', async () => {
  stage().cloud.state.quotas.cores = 1;
  await startMachine('quota', 'quota-m', { isControlPlane: true });
  const words = 'Quota exceeded for cores: Requested 2, but already used 0 of 1 cores';
  const refusal = refusedCreation(403, `{"forbidden": {"code": 403, "message": "${words}"}}`);
  const message = `error creating Openstack instance: ${refusal}`;
  await expectServer('quota-m', failure('InstanceCreateFailed', message), { instanceState: 'ERROR' });
  await expectWarning('quota-m', `Warning Failedcreateserver: Failed to create server quota-m: ${refusal}`);
  expect((await stage().get(openStackServer, 'quota-m')).status).not.toHaveProperty('instanceID');

  stage().cloud.state.quotas.cores = -1;
  stage().capo.faults.clear();
  await startMachine('quota-other', 'quota-other-w');
  await vi.waitFor(async () => {
    expect((await stage().get(openStackMachine, 'quota-other-w')).status).toMatchObject({ ready: true });
  }, limit);
  await expectServer('quota-m', failure('InstanceCreateFailed', message), { instanceState: 'ERROR' });
  await replaced('quota-m');
});

test.each<[string, FaultRule, number, string]>([
  [
    'a quota by rule',
    { kind: 'quota-exceeded', cluster: 'refused-403' },
    403,
    '{"forbidden": {"code": 403, "message": "Quota exceeded for instances: Requested 1, but already used 10 of 10 instances"}}',
  ],
  [
    'a missing image',
    { kind: 'image-not-found', cluster: 'refused-400' },
    400,
    '{"badRequest": {"code": 400, "message": "Image IMAGE could not be found."}}',
  ],
])('What Nova says of %s stands on the OpenStackServer', async (_, rule, status, body) => {
  const machine = `refused-${status}-w`;
  stage().capo.faults.set(rule);
  await startMachine(`refused-${status}`, machine);
  const image = stage().cloud.state.images[0]?.id ?? '';
  const message = `error creating Openstack instance: ${refusedCreation(status, body.replace('IMAGE', image))}`;
  await expectServer(machine, failure('InstanceCreateFailed', message), { instanceState: 'ERROR' });
});

test('A server in ERROR has a condition without a message; why, only Nova says', async () => {
  stage().capo.faults.set({ kind: 'no-valid-host', cluster: 'hosts' });
  await startMachine('hosts', 'hosts-w');
  await expectServer('hosts-w', failure('InstanceStateError'), { instanceState: 'ERROR', ready: false });
  const { cloud } = stage();
  const server = cloud.state.servers.find(({ name }) => name === 'hosts-w');
  const url = cloud.authUrl.replace('/identity', `/compute/v2.1/servers/${server?.id}`);
  const token = cloud.issueToken({ user: 'demo', project: 'demo' });
  const answer = await fetch(url, { headers: { 'x-auth-token': token } });
  expect(await answer.json()).toMatchObject({
    server: {
      status: 'ERROR',
      fault: { code: 500, message: 'No valid host was found. There are not enough hosts available.' },
    },
  });
  expect((await stage().events('hosts-w')).filter((event) => event.startsWith('Warning'))).toEqual([]);
  await replaced('hosts-w');
  expect(cloud.state.servers.filter(({ name }) => name === 'hosts-w')).toEqual([]);
});

test('Of an image whose name is unknown nothing is said anywhere, until there is one', async () => {
  const image = { filter: { name: 'later' } };
  await startMachine('unnamed', 'unnamed-w', { spec: { image } });
  const words = 'no images were found with the given image filter: name=later, tags=[]';
  const complaint = `OpenStackServer ${stage().namespace}/unnamed-w: ${words}`;
  await vi.waitFor(() => expect(stage().complaints).toContain(complaint), limit);
  expect(conditionsOf(await stage().get(openStackServer, 'unnamed-w'))).toEqual([]);
  expect(await stage().events('unnamed-w')).toEqual([]);
  const [known] = stage().cloud.state.images;
  if (known !== undefined) stage().cloud.state.images.push({ ...known, id: 'later', name: 'later' });
  await vi.waitFor(async () => {
    expect((await stage().get(openStackMachine, 'unnamed-w')).status).toMatchObject({ ready: true });
  }, limit);
});

test('A server that somebody else deleted is missed', async () => {
  await startMachine('lost', 'lost-w');
  await vi.waitFor(async () => {
    expect((await stage().get(openStackMachine, 'lost-w')).status).toMatchObject({ ready: true });
  }, limit);
  const { state } = stage().cloud;
  state.servers = state.servers.filter(({ name }) => name !== 'lost-w');
  // CAPO would find it with its next full look.
  stage().capo.faults.clear();
  await vi.waitFor(async () => {
    const machine = await stage().get(openStackMachine, 'lost-w');
    expect(conditionsOf(machine)).toEqual(failure('InstanceDeleted', 'The server was unexpectedly deleted'));
    expect(machine.status).toMatchObject({
      ready: true,
      failureReason: 'UpdateError',
      failureMessage: 'The server was unexpectedly deleted',
    });
    const server = await stage().get(openStackServer, 'lost-w');
    expect(conditionsOf(server)).toEqual(failure('InstanceNotFound', 'The server was unexpectedly deleted'));
  }, limit);
});

test('A machine joins, dies and comes back as the faults say', async () => {
  const { capo, machineLog } = stage();
  const told = () => machineLog.filter((line) => line.endsWith(' mortal-w'));
  const joins = capo.faults.set({ kind: 'never-joins', machine: /^mortal/ });
  await startMachine('mortal', 'mortal-w');
  await vi.waitFor(async () => {
    expect((await stage().get(openStackMachine, 'mortal-w')).status).toMatchObject({ ready: true });
  }, limit);
  expect(told()).toEqual([]);
  joins();
  await vi.waitFor(() => expect(told()).toEqual(['boot mortal-w']), limit);
  const revives = capo.faults.set({ kind: 'dies', cluster: 'mortal' });
  await vi.waitFor(() => expect(told()).toEqual(['boot mortal-w', 'kill mortal-w']), limit);
  revives();
  await vi.waitFor(() => expect(told()).toEqual(['boot mortal-w', 'kill mortal-w', 'revive mortal-w']), limit);
});

test('Without its credential nothing is done, and only the log says why', async () => {
  const { state } = stage().cloud;
  const { get, complaints, namespace } = stage();
  const complains = (words: string) =>
    vi.waitFor(() => {
      expect(complaints).toContainEqual(expect.stringContaining(`OpenStackCluster ${namespace}/keyless: ${words}`));
    }, limit);
  const identityRef = { name: 'keyless-cloud-config', cloudName: 'other', type: 'Secret' };
  await stage().createCluster('keyless', { identityRef });
  await complains('cloud other not found in secret keyless-cloud-config');
  const untouched = await get(openStackCluster, 'keyless');
  expect(untouched.metadata).not.toHaveProperty('finalizers');
  expect(conditionsOf(untouched)).toEqual([]);

  await stage().createCluster('signed-out');
  await vi.waitFor(async () => {
    expect((await get(openStackCluster, 'signed-out')).status).toMatchObject({ ready: true });
  }, limit);
  const ready = await get(openStackCluster, 'signed-out');
  state.applicationCredentials = [];
  stage().capo.faults.clear();
  await vi.waitFor(() => {
    expect(complaints).toContainEqual(expect.stringContaining('signed-out: providerClient authentication err: '));
  }, limit);
  expect(await get(openStackCluster, 'signed-out')).toEqual(ready);
});
