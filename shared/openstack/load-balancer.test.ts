import { describe, expect, test } from 'vitest';
import { cloudOfEachTest } from '../../test/cloud/openstack/cloud-of-each-test.ts';
import { addServiceLoadBalancer } from '../../test/cloud/openstack/service-load-balancer.ts';
import { ConflictError, NotFoundError, PermissionError, ServiceMissingError } from './errors.ts';
import { deleteLoadBalancer, getLoadBalancer, listLoadBalancers } from './load-balancer.ts';
import { openSession } from './session.ts';

const demo = cloudOfEachTest({ pageLimit: 2 });

function addBalancer(name: string, projectId?: string) {
  const project = projectId === undefined ? {} : { projectId };
  return addServiceLoadBalancer(demo.cloud.state, { clusterName: 'c', name, ...project }).balancer;
}

function adminProject(): string {
  const admin = demo.cloud.state.projects.find(({ name }) => name === 'admin');
  if (admin === undefined) throw new Error('There is a project admin.');
  return admin.id;
}

test('A load balancer is listed and read with what Octavia says of it', async () => {
  const { id, name, description = '', projectId, vipPortId } = addBalancer('web');
  const status = { provisioningStatus: 'ACTIVE', operatingStatus: 'ONLINE' };
  const shown = { id, name, description, projectId, vipPortId, ...status };
  expect(await listLoadBalancers(demo.session)).toEqual([shown]);
  expect(await getLoadBalancer(demo.session, id)).toEqual(shown);
});

test('Fields that are not filled yet are empty', async () => {
  const rawBody = JSON.stringify({
    loadbalancers: [{ id: 'x', name: null, provisioning_status: 'PENDING_CREATE', vip_port_id: null }],
  });
  demo.cloud.faults.inject({ service: 'load-balancer', status: 200, rawBody });
  expect(await listLoadBalancers(demo.session)).toEqual([
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
  expect(await listLoadBalancers(demo.session)).toHaveLength(count);
});

describe('The load balancers of other projects', () => {
  test('are not listed for a user, and refused where he names one', async () => {
    const foreign = addBalancer('web', adminProject());
    expect(await listLoadBalancers(demo.session)).toEqual([]);
    const refusals = [
      listLoadBalancers(demo.session, { projectId: adminProject() }),
      getLoadBalancer(demo.session, foreign.id),
      deleteLoadBalancer(demo.session, foreign.id),
    ];
    for (const refusal of refusals) {
      await expect(refusal).rejects.toThrow(PermissionError);
      await expect(refusal).rejects.toThrow('answered 403: Policy does not allow this request to be performed.');
    }
  });

  test('are listed for an administrator, who names a project to have its own only, on every page', async () => {
    const own = [1, 2, 3].map((index) => addBalancer(`web-${index}`));
    const foreign = [1, 2, 3].map((index) => addBalancer(`web-${index}`, adminProject()));
    const token = demo.cloud.issueToken({ user: 'admin', project: 'admin' });
    const admin = openSession({ auth: { kind: 'token', authUrl: demo.cloud.authUrl, token } });
    expect(await listLoadBalancers(admin)).toHaveLength(own.length + foreign.length);
    const named = await listLoadBalancers(admin, { projectId: own[0]?.projectId ?? '' });
    expect(named.map(({ id }) => id)).toEqual(own.map(({ id }) => id));
    admin.close();
  });
});

describe('A load balancer that is deleted', () => {
  test('goes with its listeners, once', async () => {
    const { id } = addBalancer('web');
    expect([await deleteLoadBalancer(demo.session, id), await deleteLoadBalancer(demo.session, id)]).toEqual([
      true,
      false,
    ]);
    expect(demo.cloud.requests.at(-1)).toMatchObject({ method: 'DELETE', query: '?cascade=true' });
    await expect(getLoadBalancer(demo.session, id)).rejects.toThrow(NotFoundError);
  });

  test('is PENDING_DELETE first, and refuses to be deleted again', async () => {
    demo.cloud.state.loadBalancerDeletionLooks = 2;
    const { id } = addBalancer('web');
    expect(await deleteLoadBalancer(demo.session, id)).toBe(true);
    expect(await getLoadBalancer(demo.session, id)).toMatchObject({ provisioningStatus: 'PENDING_DELETE' });
    await expect(deleteLoadBalancer(demo.session, id)).rejects.toThrow(ConflictError);
    expect(await listLoadBalancers(demo.session)).toHaveLength(1);
    expect(await listLoadBalancers(demo.session)).toEqual([]);
  });
});

test.each([
  [
    'Invalid state PENDING_UPDATE of loadbalancer resource x',
    'Invalid state PENDING_UPDATE of loadbalancer resource x.',
  ],
  ['Load Balancer x is immutable and cannot be updated.', 'Load Balancer x is immutable and cannot be updated.'],
])('The refusal "%s" is a conflict at once, without another attempt', async (message, words) => {
  demo.cloud.faults.inject({ method: 'DELETE', status: 409, message, times: Number.POSITIVE_INFINITY });
  const refusal = deleteLoadBalancer(demo.session, 'x');
  await expect(refusal).rejects.toThrow(ConflictError);
  await expect(refusal).rejects.toThrow(`OpenStack load-balancer answered 409: ${words}`);
  expect(demo.cloud.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

test('A cloud without Octavia is a missing service', async () => {
  demo.cloud.state.services = demo.cloud.state.services.filter(({ type }) => type !== 'load-balancer');
  await expect(listLoadBalancers(demo.session)).rejects.toThrow(ServiceMissingError);
});
