import { openSession, PermissionError, type Session } from 'openstack-client-ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { addServiceLoadBalancer } from '../../test/cloud/openstack/service-load-balancer.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { type InstantClock, instantClock } from '../kubernetes/testing/instant-clock.ts';
import { type LoadBalancerCleanup, removeServiceLoadBalancers } from './service-load-balancers.ts';

const uuid = '3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01';
const forEver = Number.POSITIVE_INFINITY;

let cloud: SimulatedOpenStack;
let session: Session;
let clock: InstantClock;

beforeEach(async () => {
  cloud = await startSimulatedOpenStack();
  session = demoSession(cloud, { retry: { limit: 0 } });
  clock = instantClock();
});

afterEach(async () => {
  session.close();
  await cloud.stop();
});

function add(name: string, clusterName = uuid) {
  return addServiceLoadBalancer(cloud.state, { clusterName, name });
}

/** What is told of what is left. */
async function cleanUp(options: Partial<LoadBalancerCleanup> = {}): Promise<readonly string[]> {
  const always = () => undefined;
  const cleanup = { uuid, waitMs: 5_000, beforeWrite: always, clock, ...options };
  return (await removeServiceLoadBalancers(session, cleanup)).map(({ told }) => told);
}

function left(): string[] {
  return cloud.state.loadBalancers.map(({ id }) => id);
}

function leftAddresses(): string[] {
  return cloud.state.floatingIps.map(({ id }) => id);
}

/** Requests after the sign-in, as `DELETE load-balancer`. */
function asked(): string[] {
  const sent = cloud.requests.filter(({ service }) => service !== 'identity');
  return sent.map(({ method, service }) => `${method} ${service}`);
}

test('A cluster without load balancers costs one list', async () => {
  add('web', 'another');
  expect(await cleanUp()).toEqual([]);
  expect(asked()).toEqual(['GET load-balancer']);
  expect(clock.sleeps).toEqual([]);
});

test('Load balancers of the cluster go with their floating IPs', async () => {
  add('web');
  const ingress = add('shop').balancer;
  ingress.description = `Kubernetes Ingress shop in namespace default from cluster ${uuid}, version: 4711`;
  expect(await cleanUp()).toEqual([]);
  expect([left(), leftAddresses()]).toEqual([[], []]);
});

test.each([
  ['of another cluster', 'Kubernetes external service default/web from cluster 11111111-1111-4111-8111-111111111111'],
  ['of a cluster whose name goes on', `Kubernetes external service default/web from cluster ${uuid}-2`],
  ['of a cluster whose name ends so', `Kubernetes external service default/web from cluster 2-${uuid}`],
  ['with a remark behind', `Kubernetes external service default/web from cluster ${uuid} (keep)`],
  ['with a remark before', `No longer Kubernetes external service default/web from cluster ${uuid}`],
  ['on several lines', `Mine\nKubernetes external service default/web from cluster ${uuid}`],
  ['without a description', ''],
])('A load balancer %s stays, with its floating IP', async (_what, description) => {
  const { balancer, floatingIp } = add('web');
  Object.assign(balancer, { description });
  expect(await cleanUp()).toEqual([]);
  expect([left(), leftAddresses()]).toEqual([[balancer.id], [floatingIp.id]]);
});

test("The load balancer of the cluster's own API stays", async () => {
  const { balancer } = add('web');
  const stack = 'k8s-clusterapi-cluster-magnum-system-kube-abcde';
  balancer.name = `${stack}-kubeapi`;
  balancer.description = `Created by cluster-api-provider-openstack cluster magnum-system-kube-abcde`;
  expect(await cleanUp()).toEqual([]);
  expect(left()).toEqual([balancer.id]);
});

describe('A load balancer', () => {
  test('that is being updated is deleted when it is ACTIVE, and keeps its address until then', async () => {
    const { balancer, floatingIp } = add('web');
    Object.assign(balancer, { provisioningStatus: 'PENDING_UPDATE', pendingLooks: 2 });
    const told = `Load balancer ${balancer.name} (${balancer.id}) cannot be deleted while it is in PENDING_UPDATE.`;
    expect(await cleanUp({ waitMs: 1_000 })).toEqual([told]);
    expect(leftAddresses()).toEqual([floatingIp.id]);
    expect(await cleanUp()).toEqual([]);
    expect([left(), leftAddresses()]).toEqual([[], []]);
  });

  test('that is being deleted is waited for, and not deleted again', async () => {
    cloud.state.loadBalancerDeletionLooks = 3;
    add('web');
    expect(await cleanUp()).toEqual([]);
    expect(clock.sleeps).toEqual([1_000, 1_000, 1_000, 1_000]);
    expect(asked().filter((one) => one === 'DELETE load-balancer')).toHaveLength(1);
  });

  test('that is in ERROR is deleted', async () => {
    add('web').balancer.provisioningStatus = 'ERROR';
    expect(await cleanUp()).toEqual([]);
    expect(left()).toEqual([]);
  });

  test.each([
    ['that is DELETED, but not yet purged, is done', { provisioning_status: 'DELETED' }],
    ['of another project stays, even if the cloud lists it unasked', { project_id: 'another' }],
  ])('%s', async (_what, fields) => {
    const { id, name, description, projectId } = add('web').balancer;
    const listed = { id, name, description, project_id: projectId, provisioning_status: 'ACTIVE', ...fields };
    cloud.faults.inject({
      method: 'GET',
      status: 200,
      rawBody: JSON.stringify({ loadbalancers: [listed] }),
      path: /lbaas/,
    });
    expect(await cleanUp()).toEqual([]);
    expect(asked()).toEqual(['GET load-balancer']);
  });

  test('that is gone between the list and its deletion is done', async () => {
    add('web');
    cloud.faults.inject({ method: 'DELETE', status: 404, times: 2 });
    cloud.state.loadBalancerDeletionLooks = forEver;
    expect(await cleanUp({ waitMs: 0 })).toEqual([]);
  });

  test('that the controller makes again meanwhile is deleted too', async () => {
    add('web');
    cloud.state.loadBalancerDeletionLooks = 1;
    clock = instantClock(async () => {
      if (clock.sleeps.length === 0) add('web');
    });
    expect(await cleanUp()).toEqual([]);
    expect([left(), leftAddresses()]).toEqual([[], []]);
  });

  test('that does not go away is told when the wait is over', async () => {
    cloud.state.loadBalancerDeletionLooks = forEver;
    const { balancer } = add('web');
    const told = `Load balancer ${balancer.name} (${balancer.id}) is still being deleted.`;
    expect(await cleanUp({ waitMs: 2_500 })).toEqual([told]);
    expect(clock.sleeps).toEqual([1_000, 1_000, 500]);
  });
});

test('Without a wait there is one pass, which begins all deletions', async () => {
  const balancers = [add('web'), add('shop')].map(({ balancer }) => balancer);
  cloud.state.loadBalancerDeletionLooks = 1;
  expect(await cleanUp({ waitMs: 0 })).toHaveLength(2);
  expect(balancers.map(({ provisioningStatus }) => provisioningStatus)).toEqual(['PENDING_DELETE', 'PENDING_DELETE']);
  expect([clock.sleeps, asked().filter((one) => one === 'GET load-balancer')]).toEqual([[], ['GET load-balancer']]);
});

describe('A floating IP', () => {
  test('that may not be deleted is told once, and does not keep the load balancer', async () => {
    const { balancer, floatingIp } = add('web');
    cloud.state.loadBalancerDeletionLooks = 1;
    cloud.faults.inject({
      service: 'network',
      method: 'DELETE',
      status: 403,
      message: 'Policy says no',
      times: forEver,
    });
    expect(await cleanUp()).toEqual([
      `Floating IP ${floatingIp.address} of load balancer ${balancer.name} cannot be deleted: OpenStack network answered 403: Policy says no.`,
    ]);
    expect(left()).toEqual([]);
    expect(await cleanUp()).toEqual([]);
  });

  test('that cannot be deleted now keeps the load balancer, so that it is found again', async () => {
    const { balancer } = add('web');
    cloud.faults.inject({ service: 'network', method: 'DELETE', status: 500, message: 'Out of luck', times: 2 });
    const told = expect.stringMatching(/^Floating IP .* cannot be deleted: .* answered 500: Out of luck\.$/);
    expect(await cleanUp({ waitMs: 0 })).toEqual([told]);
    expect(left()).toEqual([balancer.id]);
    expect(await cleanUp()).toEqual([]);
    expect([left(), leftAddresses()]).toEqual([[], []]);
  });
});

describe('What the cloud answers to one load balancer', () => {
  function refuse(id: string, status: number, times = forEver): void {
    const path = new RegExp(`/loadbalancers/${id}$`);
    cloud.faults.inject({ service: 'load-balancer', method: 'DELETE', path, status, message: 'No, sorry', times });
  }

  test.each([
    [400, 1, 1],
    [403, 1, 1],
    [409, 6, 5],
    [500, 6, 5],
  ])('%i: is told, the others go, and it is tried %i times with %i waits', async (status, attempts, waits) => {
    const { balancer } = add('web');
    add('shop');
    refuse(balancer.id, status);
    expect(await cleanUp()).toEqual([
      `Load balancer ${balancer.name} (${balancer.id}) cannot be deleted: OpenStack load-balancer answered ${status}: No, sorry.`,
    ]);
    expect(left()).toEqual([balancer.id]);
    expect(cloud.requests.filter(({ path, method }) => method === 'DELETE' && path.endsWith(balancer.id))).toHaveLength(
      attempts,
    );
    expect(clock.sleeps).toHaveLength(waits);
  });

  test.each([409, 500])('%i: is forgotten where a later attempt succeeds', async (status) => {
    refuse(add('web').balancer.id, status, 2);
    expect(await cleanUp()).toEqual([]);
    expect(left()).toEqual([]);
  });
});

describe('A process that stops', () => {
  const lost = new Error('The Lease is lost.');

  /** Stops before the write of that number. */
  function stopBefore(write: number) {
    let writes = 0;
    return () => {
      writes += 1;
      if (writes === write) throw lost;
    };
  }

  test.each([1, 2, 3, 4])('before write %i leaves the rest to the next, which loses no address', async (write) => {
    add('web');
    add('shop');
    await expect(cleanUp({ beforeWrite: stopBefore(write) })).rejects.toBe(lost);
    expect(left().length + leftAddresses().length).toBe(5 - write);
    expect(await cleanUp()).toEqual([]);
    expect([left(), leftAddresses()]).toEqual([[], []]);
  });

  test('by a signal ends the wait', async () => {
    cloud.state.loadBalancerDeletionLooks = forEver;
    add('web');
    const stopping = new AbortController();
    clock = instantClock(async () => stopping.abort());
    expect(await cleanUp({ signal: stopping.signal })).toHaveLength(1);
    expect(clock.sleeps).toEqual([1_000]);
  });

  test('by a signal begins no further deletion', async () => {
    const { balancer, floatingIp } = add('web');
    const told = `Load balancer ${balancer.name} (${balancer.id}) is not deleted yet.`;
    expect(await cleanUp({ signal: AbortSignal.abort() })).toEqual([told]);
    expect([left(), leftAddresses()]).toEqual([[balancer.id], [floatingIp.id]]);
  });
});

test('An answer that was lost on its way is no failure', async () => {
  add('web');
  cloud.faults.inject({ method: 'DELETE', service: 'load-balancer', cut: 'after' });
  expect(await cleanUp()).toEqual([]);
  expect(left()).toEqual([]);
});

test('A cloud without Octavia has nothing to delete', async () => {
  cloud.state.services = cloud.state.services.filter(({ type }) => type !== 'load-balancer');
  expect(await cleanUp()).toEqual([]);
});

test('A list that cannot be read is an error', async () => {
  cloud.faults.inject({ service: 'load-balancer', method: 'GET', status: 403 });
  await expect(cleanUp()).rejects.toThrow(PermissionError);
});

describe('An administrator', () => {
  function projectId(wanted: string): string {
    const project = cloud.state.projects.find(({ name }) => name === wanted);
    if (project === undefined) throw new Error(`There is a project ${wanted}.`);
    return project.id;
  }

  beforeEach(() => {
    session.close();
    const token = cloud.issueToken({ user: 'admin', project: 'admin' });
    session = openSession({ auth: { kind: 'token', authUrl: cloud.authUrl, token } });
  });

  test.each([
    ['the project that he names', 'demo', 'admin'],
    ['his own project where he names none', 'admin', 'demo'],
  ])('deletes in %s only', async (_what, cleaned, untouched) => {
    for (const name of ['demo', 'admin']) {
      addServiceLoadBalancer(cloud.state, { clusterName: uuid, name: 'web', projectId: projectId(name) });
    }
    expect(await cleanUp(cleaned === 'demo' ? { projectId: projectId('demo') } : {})).toEqual([]);
    const stays = [expect.objectContaining({ projectId: projectId(untouched) })];
    expect([cloud.state.loadBalancers, cloud.state.floatingIps]).toEqual([stays, stays]);
    const lists = cloud.requests.filter(({ path }) => path.endsWith('/loadbalancers'));
    expect(new Set(lists.map(({ query }) => query))).toEqual(new Set([`?project_id=${projectId(cleaned)}`]));
  });
});
