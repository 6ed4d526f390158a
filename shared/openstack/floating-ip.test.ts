import { expect, test } from 'vitest';
import { cloudOfEachTest } from '../../test/cloud/openstack/cloud-of-each-test.ts';
import { addServiceLoadBalancer } from '../../test/cloud/openstack/service-load-balancer.ts';
import { deleteFloatingIp, listFloatingIps } from './floating-ip.ts';
import { deleteLoadBalancer } from './load-balancer.ts';

const demo = cloudOfEachTest();

test('The floating IP of a port is found by the port', async () => {
  addServiceLoadBalancer(demo.cloud.state, { clusterName: 'c', name: 'other' });
  const { balancer, floatingIp } = addServiceLoadBalancer(demo.cloud.state, { clusterName: 'c', name: 'web' });
  expect(await listFloatingIps(demo.session, { portId: balancer.vipPortId })).toEqual([floatingIp]);
  expect(await listFloatingIps(demo.session, { portId: 'none' })).toEqual([]);
});

test('A floating IP without a description has an empty one', async () => {
  const rawBody = JSON.stringify({ floatingips: [{ id: 'x', port_id: 'p', description: null }] });
  demo.cloud.faults.inject({ service: 'network', status: 200, rawBody });
  const empty = { address: '', description: '', projectId: '' };
  expect(await listFloatingIps(demo.session, { portId: 'p' })).toEqual([{ id: 'x', portId: 'p', ...empty }]);
});

test('A floating IP is deleted once', async () => {
  const { floatingIp } = addServiceLoadBalancer(demo.cloud.state, { clusterName: 'c', name: 'web' });
  expect([
    await deleteFloatingIp(demo.session, floatingIp.id),
    await deleteFloatingIp(demo.session, floatingIp.id),
  ]).toEqual([true, false]);
  expect(demo.cloud.state.floatingIps).toEqual([]);
});

test('A floating IP outlives its load balancer, and then leads nowhere', async () => {
  const { balancer, floatingIp } = addServiceLoadBalancer(demo.cloud.state, { clusterName: 'c', name: 'web' });
  await deleteLoadBalancer(demo.session, balancer.id);
  expect(await listFloatingIps(demo.session, { portId: balancer.vipPortId })).toEqual([]);
  expect(demo.cloud.state.floatingIps).toEqual([{ ...floatingIp, portId: null }]);
});
