import { getLoadBalancer, listLoadBalancers } from 'openstack-client-ts';
import { expect, test } from 'vitest';
import { cloudOfEachTest } from './cloud-of-each-test.ts';
import { addServiceLoadBalancer } from './service-load-balancer.ts';

const demo = cloudOfEachTest();

function addWeb() {
  return addServiceLoadBalancer(demo.cloud.state, { clusterName: 'c', name: 'web' }).balancer;
}

function send(method: 'GET' | 'DELETE', path: string, query: Record<string, string> = {}) {
  return demo.session.send({ service: 'load-balancer', method, path: `/lbaas/loadbalancers${path}`, query });
}

test('What the cloud controller manager makes is named and described as it does it', () => {
  const { balancer, floatingIp } = addServiceLoadBalancer(demo.cloud.state, { clusterName: 'c', name: 'web' });
  expect([balancer.name, balancer.description, floatingIp.description]).toEqual([
    'kube_service_c_default_web',
    'Kubernetes external service default/web from cluster c',
    'Floating IP for Kubernetes external service default/web from cluster c',
  ]);
});

test('A load balancer with listeners is deleted only with cascade', async () => {
  const { id } = addWeb();
  const refusal = `answered 400: Validation failure: Cannot delete Load Balancer ${id} - it has children.`;
  for (const query of [{}, { cascade: 'false' }]) {
    await expect(send('DELETE', `/${id}`, query)).rejects.toThrow(refusal);
  }
  expect((await send('DELETE', `/${id}`, { cascade: 'True' })).status).toBe(204);
});

test.each(['PENDING_CREATE', 'PENDING_UPDATE', 'PENDING_DELETE'])('One in %s is not deleted', async (status) => {
  const balancer = addWeb();
  balancer.provisioningStatus = status;
  const refusal = `answered 409: Invalid state ${status} of loadbalancer resource ${balancer.id}.`;
  await expect(send('DELETE', `/${balancer.id}`, { cascade: 'true' })).rejects.toThrow(refusal);
  expect(demo.cloud.state.loadBalancers).toEqual([balancer]);
});

test('One in PENDING_UPDATE is ACTIVE after the looks that it has left, and else stays as it is', async () => {
  const [settling, lasting] = [addWeb(), addWeb()];
  for (const balancer of [settling, lasting]) balancer.provisioningStatus = 'PENDING_UPDATE';
  settling.pendingLooks = 1;
  expect(await getLoadBalancer(demo.session, settling.id)).toMatchObject({ provisioningStatus: 'PENDING_UPDATE' });
  expect(await getLoadBalancer(demo.session, settling.id)).toMatchObject({ provisioningStatus: 'ACTIVE' });
  for (let look = 0; look < 3; look += 1) {
    expect(await getLoadBalancer(demo.session, lasting.id)).toMatchObject({ provisioningStatus: 'PENDING_UPDATE' });
  }
});

test('One that is DELETED, but not yet purged, is not shown', async () => {
  const balancer = addWeb();
  balancer.provisioningStatus = 'DELETED';
  expect(await listLoadBalancers(demo.session)).toEqual([]);
  await expect(getLoadBalancer(demo.session, balancer.id)).rejects.toThrow(
    `answered 404: Load Balancer ${balancer.id} not`,
  );
});

test('A filter that Octavia does not know is refused', async () => {
  addWeb();
  await expect(send('GET', '', { colour: 'red' })).rejects.toThrow('One or more arguments are either duplicate or');
});
