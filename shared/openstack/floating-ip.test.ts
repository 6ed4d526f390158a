import { afterEach, beforeEach, expect, test } from 'vitest';
import { demoSession } from '../../test/cloud/openstack/demo-session.ts';
import { addServiceLoadBalancer } from '../../test/cloud/openstack/service-load-balancer.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../../test/cloud/openstack/simulated-openstack.ts';
import { deleteFloatingIp, listFloatingIps } from './floating-ip.ts';
import { deleteLoadBalancer } from './load-balancer.ts';
import type { Session } from './session.ts';

let cloud: SimulatedOpenStack;
let session: Session;

beforeEach(async () => {
  cloud = await startSimulatedOpenStack();
  session = demoSession(cloud);
});

afterEach(async () => {
  session.close();
  await cloud.stop();
});

test('The floating IP of a port is found by the port', async () => {
  addServiceLoadBalancer(cloud.state, { clusterName: 'c', name: 'other' });
  const { balancer, floatingIp } = addServiceLoadBalancer(cloud.state, { clusterName: 'c', name: 'web' });
  expect(await listFloatingIps(session, { portId: balancer.vipPortId })).toEqual([floatingIp]);
  expect(await listFloatingIps(session, { portId: 'none' })).toEqual([]);
});

test('A floating IP without a description has an empty one', async () => {
  const rawBody = JSON.stringify({ floatingips: [{ id: 'x', port_id: 'p', description: null }] });
  cloud.faults.inject({ service: 'network', status: 200, rawBody });
  const empty = { address: '', description: '', projectId: '' };
  expect(await listFloatingIps(session, { portId: 'p' })).toEqual([{ id: 'x', portId: 'p', ...empty }]);
});

test('A floating IP is deleted once', async () => {
  const { floatingIp } = addServiceLoadBalancer(cloud.state, { clusterName: 'c', name: 'web' });
  expect([await deleteFloatingIp(session, floatingIp.id), await deleteFloatingIp(session, floatingIp.id)]).toEqual([
    true,
    false,
  ]);
  expect(cloud.state.floatingIps).toEqual([]);
});

test('A floating IP outlives its load balancer, and then leads nowhere', async () => {
  const { balancer, floatingIp } = addServiceLoadBalancer(cloud.state, { clusterName: 'c', name: 'web' });
  await deleteLoadBalancer(session, balancer.id);
  expect(await listFloatingIps(session, { portId: balancer.vipPortId })).toEqual([]);
  expect(cloud.state.floatingIps).toEqual([{ ...floatingIp, portId: null }]);
});
