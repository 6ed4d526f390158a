import { listLoadBalancers, type Session } from 'openstack-client-ts';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { addServiceLoadBalancer } from '../../test/cloud/openstack/service-load-balancer.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import type { FloatingIp } from '../../test/cloud/openstack/state.ts';
import { releaseFloatingIps } from './service-floating-ips.ts';

const uuid = '3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01';

let cloud: SimulatedOpenStack;
let session: Session;
let floatingIp: FloatingIp;
let kept: Map<string, string>;

beforeEach(async () => {
  cloud = await startSimulatedOpenStack();
  session = demoSession(cloud, { retry: { limit: 0 } });
  kept = new Map();
  floatingIp = addServiceLoadBalancer(cloud.state, { clusterName: uuid, name: 'web' }).floatingIp;
});

afterEach(async () => {
  session.close();
  await cloud.stop();
});

async function release(options: { readonly from?: Session; readonly withoutPort?: boolean } = {}) {
  const [balancer] = await listLoadBalancers(session);
  if (balancer === undefined) throw new Error('There is a load balancer.');
  const port = options.withoutPort === true ? { vipPortId: null } : {};
  const how = { uuid, beforeWrite: () => undefined, kept };
  const held = await releaseFloatingIps(options.from ?? session, { ...balancer, ...port }, how);
  return { held, kept: [...kept.values()] };
}

const done = { held: null, kept: [] };

test('The floating IP that the controller made goes', async () => {
  expect(await release()).toEqual(done);
  expect(cloud.state.floatingIps).toEqual([]);
});

test('The floating IP that an Ingress has goes', async () => {
  floatingIp.description = `Floating IP for Kubernetes ingress shop in namespace default from cluster ${uuid}`;
  expect(await release()).toEqual(done);
  expect(cloud.state.floatingIps).toEqual([]);
});

test.each<[string, Partial<FloatingIp>]>([
  ['that a user made', { description: '' }],
  ['that a user describes', { description: `Floating IP for Kubernetes web from cluster ${uuid}, mine` }],
  ['of another cluster', { description: 'Floating IP for Kubernetes external service a/b from cluster another' }],
  ['that a user has kept without a port', { portId: null }],
  ['that a user has put to another use', { portId: 'port-of-a-server' }],
])('A floating IP %s stays', async (_what, fields) => {
  Object.assign(floatingIp, fields);
  expect(await release()).toEqual(done);
  expect(cloud.state.floatingIps).toEqual([floatingIp]);
});

test('A floating IP of another project stays, though an administrator sees it', async () => {
  floatingIp.projectId = 'another';
  const auth = {
    kind: 'token',
    authUrl: cloud.authUrl,
    token: cloud.issueToken({ user: 'admin', project: 'demo' }),
  } as const;
  const admin = demoSession(cloud, { auth });
  expect(await release({ from: admin })).toEqual(done);
  expect(cloud.state.floatingIps).toEqual([floatingIp]);
  admin.close();
});

test('A load balancer that has no port yet has no floating IP', async () => {
  expect(await release({ withoutPort: true })).toEqual(done);
  expect(cloud.requests.filter(({ service }) => service === 'network')).toEqual([]);
});

test('A cloud without Neutron has no floating IPs', async () => {
  cloud.state.services = cloud.state.services.filter(({ type }) => type !== 'network');
  expect(await release()).toEqual(done);
});

function deletions(): number {
  return cloud.requests.filter(({ method }) => method === 'DELETE').length;
}

test('A deletion that is forbidden is told and not tried again, and the load balancer may go', async () => {
  cloud.faults.inject({ service: 'network', method: 'DELETE', status: 403, message: 'Policy says no', times: 2 });
  const told =
    `Floating IP ${floatingIp.address} of load balancer kube_service_${uuid}_default_web cannot be deleted: ` +
    'OpenStack network answered 403: Policy says no.';
  expect([await release(), await release()]).toEqual(Array(2).fill({ held: null, kept: [told] }));
  expect(deletions()).toBe(1);
});

test('A look-up that is forbidden is told, and the load balancer may go', async () => {
  cloud.faults.inject({ service: 'network', status: 403 });
  const told = expect.stringMatching(/^The floating IP of load balancer \S+ cannot be looked up: .* answered 403: /);
  expect(await release()).toEqual({ held: null, kept: [told] });
});

test.each([
  ['look-up', 'GET', 500],
  ['deletion', 'DELETE', 500],
  ['deletion', 'DELETE', 409],
])('A %s that fails (%s, %i) holds the load balancer, and is tried again', async (_what, method, status) => {
  cloud.faults.inject({ service: 'network', method, status });
  expect(await release()).toEqual({ held: expect.stringContaining(`answered ${status}: `), kept: [] });
  expect(await release()).toEqual(done);
  expect(cloud.state.floatingIps).toEqual([]);
});
