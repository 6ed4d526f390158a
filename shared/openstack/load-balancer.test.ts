import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { addServiceLoadBalancer } from '../../test/cloud/openstack/service-load-balancer.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { ConflictError, NotFoundError, PermissionError, ServiceMissingError } from './errors.ts';
import { deleteLoadBalancer, getLoadBalancer, listLoadBalancers } from './load-balancer.ts';
import { openSession, type Session } from './session.ts';

let cloud: SimulatedOpenStack;
let session: Session;

beforeEach(async () => {
  cloud = await startSimulatedOpenStack({ pageLimit: 2 });
  session = demoSession(cloud);
});

afterEach(async () => {
  session.close();
  await cloud.stop();
});

function addBalancer(name: string, projectId?: string) {
  const project = projectId === undefined ? {} : { projectId };
  return addServiceLoadBalancer(cloud.state, { clusterName: 'c', name, ...project }).balancer;
}

function adminProject(): string {
  const admin = cloud.state.projects.find(({ name }) => name === 'admin');
  if (admin === undefined) throw new Error('There is a project admin.');
  return admin.id;
}

test('A load balancer is listed and read with what Octavia says of it', async () => {
  const { id, name, description = '', projectId, vipPortId } = addBalancer('web');
  const status = { provisioningStatus: 'ACTIVE', operatingStatus: 'ONLINE' };
  const shown = { id, name, description, projectId, vipPortId, ...status };
  expect(await listLoadBalancers(session)).toEqual([shown]);
  expect(await getLoadBalancer(session, id)).toEqual(shown);
});

test('Fields that are not filled yet are empty', async () => {
  const rawBody = JSON.stringify({
    loadbalancers: [{ id: 'x', name: null, provisioning_status: 'PENDING_CREATE', vip_port_id: null }],
  });
  cloud.faults.inject({ service: 'load-balancer', status: 200, rawBody });
  expect(await listLoadBalancers(session)).toEqual([
    {
      id: 'x',
      name: '',
      description: '',
      projectId: '',
      provisioningStatus: 'PENDING_CREATE',
      operatingStatus: null,
      vipPortId: null,
    },
  ]);
});

test.each([0, 1, 2, 3, 5])('All %i load balancers are listed, page by page', async (count) => {
  for (let index = 0; index < count; index += 1) addBalancer(`web-${index}`);
  expect(await listLoadBalancers(session)).toHaveLength(count);
});

describe('The load balancers of other projects', () => {
  test('are not listed for a user, and refused where he names one', async () => {
    const foreign = addBalancer('web', adminProject());
    expect(await listLoadBalancers(session)).toEqual([]);
    const refusals = [
      listLoadBalancers(session, { projectId: adminProject() }),
      getLoadBalancer(session, foreign.id),
      deleteLoadBalancer(session, foreign.id),
    ];
    for (const refusal of refusals) {
      await expect(refusal).rejects.toThrow(PermissionError);
      await expect(refusal).rejects.toThrow('answered 403: Policy does not allow this request to be performed.');
    }
  });

  test('are listed for an administrator, who names a project to have its own only, on every page', async () => {
    const own = [1, 2, 3].map((index) => addBalancer(`web-${index}`));
    const foreign = [1, 2, 3].map((index) => addBalancer(`web-${index}`, adminProject()));
    const token = cloud.issueToken({ user: 'admin', project: 'admin' });
    const admin = openSession({ auth: { kind: 'token', authUrl: cloud.authUrl, token } });
    expect(await listLoadBalancers(admin)).toHaveLength(own.length + foreign.length);
    const named = await listLoadBalancers(admin, { projectId: own[0]?.projectId ?? '' });
    expect(named.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
    admin.close();
  });
});

describe('A load balancer that is deleted', () => {
  test('goes with its listeners, once', async () => {
    const { id } = addBalancer('web');
    expect([await deleteLoadBalancer(session, id), await deleteLoadBalancer(session, id)]).toEqual([true, false]);
    expect(cloud.requests.at(-1)).toMatchObject({ method: 'DELETE', query: '?cascade=true' });
    await expect(getLoadBalancer(session, id)).rejects.toThrow(NotFoundError);
  });

  test('is PENDING_DELETE first, and refuses to be deleted again', async () => {
    cloud.state.loadBalancerDeletionLooks = 2;
    const { id } = addBalancer('web');
    expect(await deleteLoadBalancer(session, id)).toBe(true);
    expect(await getLoadBalancer(session, id)).toMatchObject({ provisioningStatus: 'PENDING_DELETE' });
    await expect(deleteLoadBalancer(session, id)).rejects.toThrow(ConflictError);
    expect(await listLoadBalancers(session)).toHaveLength(1);
    expect(await listLoadBalancers(session)).toEqual([]);
  });
});

test.each([
  [
    'Invalid state PENDING_UPDATE of loadbalancer resource x',
    'Invalid state PENDING_UPDATE of loadbalancer resource x.',
  ],
  ['Load Balancer x is immutable and cannot be updated.', 'Load Balancer x is immutable and cannot be updated.'],
])('The refusal "%s" is a conflict at once, without another attempt', async (message, words) => {
  cloud.faults.inject({ method: 'DELETE', status: 409, message, times: Number.POSITIVE_INFINITY });
  const refusal = deleteLoadBalancer(session, 'x');
  await expect(refusal).rejects.toThrow(ConflictError);
  await expect(refusal).rejects.toThrow(`OpenStack load-balancer answered 409: ${words}`);
  expect(cloud.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('A cloud without Octavia is a missing service', async () => {
  cloud.state.services = cloud.state.services.filter(({ type }) => type !== 'load-balancer');
  await expect(listLoadBalancers(session)).rejects.toThrow(ServiceMissingError);
});
