import { expect, test, vi } from 'vitest';
import { resources } from '../../../shared/kubernetes/resources.ts';
import { capoStageOfFile, conditionsOf } from './capo-stage.ts';
import type { InfrastructurePart } from './fault-rules.ts';

const stage = capoStageOfFile();
const limit = { timeout: 60_000, interval: 100 };

function well(type: string): unknown {
  return { type, status: 'True' };
}

function failed(type: string, reason: string, message: string, severity = 'Error'): unknown {
  return { type, status: 'False', severity, reason, message };
}

function unready(message: string): unknown {
  return failed('Ready', 'OpenStackError', message, 'Warning');
}

function refusal(path: string, words: string, expected = '201 202'): string {
  const url = stage().cloud.authUrl.replace('/identity', '');
  const method = expected === '200' ? 'GET' : 'POST';
  return `Expected HTTP response code [${expected}] when accessing [${method} ${url}${path}], but got ${words}`;
}

function overQuota(resource: string): string {
  const words = `"type": "OverQuota", "message": "Quota exceeded for resources: ['${resource}'].", "detail": ""`;
  return `409 instead: {"NeutronError": {${words}}}`;
}

interface Case {
  readonly conditions: (base: string) => unknown[];
  readonly warning?: (base: string) => string;
}

const steps = ['NetworkReady', 'RouterReady', 'SecurityGroupsReady'];

const cases: Readonly<Record<Exclude<InfrastructurePart, 'load-balancer-not-active'>, Case>> = {
  'external-network': {
    conditions: () => {
      const words = '"type": "HTTPServiceUnavailable", "message": "Service Unavailable", "detail": ""';
      const path = '/network/v2.0/networks?router%3Aexternal=true';
      const cause = refusal(path, `503 instead: {"NeutronError": {${words}}}`, '200');
      return [unready(`failed to reconcile external network: failed to get external network: ${cause}`)];
    },
  },
  network: {
    conditions: () => {
      const cause = refusal('/network/v2.0/networks', overQuota('network'));
      const own = failed('NetworkReady', 'NetworkCreateFailed', `Failed to reconcile network: ${cause}`);
      return [unready(`failed to reconcile network: ${cause}`), own];
    },
    warning: (base) => {
      const cause = refusal('/network/v2.0/networks', overQuota('network'));
      return `Warning Failedcreatenetwork: Failed to create network ${base}: ${cause}`;
    },
  },
  subnet: {
    conditions: () => {
      const cause = refusal('/network/v2.0/subnets', overQuota('subnet'));
      const own = failed('NetworkReady', 'SubnetCreateFailed', `Failed to reconcile subnets: ${cause}`);
      return [unready(`failed to reconcile subnets: ${cause}`), own];
    },
    warning: (base) => {
      const cause = refusal('/network/v2.0/subnets', overQuota('subnet'));
      return `Warning Failedcreatesubnet: Failed to create subnet ${base}: ${cause}`;
    },
  },
  router: {
    conditions: () => {
      const cause = refusal('/network/v2.0/routers', overQuota('router'));
      const own = failed('RouterReady', 'RouterCreateFailed', `Failed to reconcile router: ${cause}`);
      return [unready(`failed to reconcile router: ${cause}`), well('NetworkReady'), own];
    },
    warning: (base) => {
      const cause = refusal('/network/v2.0/routers', overQuota('router'));
      return `Warning Failedcreaterouter: Failed to create router ${base}: ${cause}`;
    },
  },
  'security-groups': {
    conditions: () => {
      const cause = refusal('/network/v2.0/security-groups', overQuota('security_group'));
      const message = `Failed to reconcile security groups: ${cause}`;
      const own = failed('SecurityGroupsReady', 'SecurityGroupCreateFailed', message);
      return [unready(`failed to reconcile security groups: ${cause}`), well('NetworkReady'), well('RouterReady'), own];
    },
    warning: (base) => {
      const group = `${base.replace('-clusterapi', '')}-secgroup-controlplane`;
      const cause = refusal('/network/v2.0/security-groups', overQuota('security_group'));
      return `Warning Failedcreatesecuritygroup: Failed to create security group ${group}: ${cause}`;
    },
  },
  'load-balancer': {
    conditions: () => endpointFailed(`failed to reconcile load balancer: ${balancerRefusal()}`),
    warning: (base) =>
      `Warning Failedcreateloadbalancer: Failed to create load balancer ${base}-kubeapi: ${balancerRefusal()}`,
  },
  'floating-ip': {
    conditions: () => endpointFailed(`failed to reconcile load balancer: ${addressRefusal()}`),
    warning: () => `Warning Failedcreatefloatingip: Failed to create floating IP : ${addressRefusal()}`,
  },
};

function balancerRefusal(): string {
  const words = '"faultcode": "Client", "faultstring": "Quota has been met for resources: Load Balancer"';
  return refusal('/load-balancer/v2.0/lbaas/loadbalancers', `403 instead: {${words}}`);
}

function addressRefusal(): string {
  return refusal('/network/v2.0/floatingips', overQuota('floatingip'));
}

function endpointFailed(message: string): unknown[] {
  const own = `Failed to reconcile control plane endpoint: ${message}`;
  return [unready(message), failed('APIEndpointReady', 'APIEndpointConfigFailed', own), ...steps.map(well)];
}

async function expectHealed(name: string): Promise<void> {
  await vi.waitFor(async () => {
    const healed = await stage().get(resources.openStackCluster, name);
    expect(healed.status).toMatchObject({ ready: true });
    expect(conditionsOf(healed)).toEqual(['Ready', 'APIEndpointReady', ...steps].map(well));
  }, limit);
}

test.each(Object.entries(cases))(
  'A cluster whose %s fails says so, and goes on when it can',
  async (part, expected) => {
    const name = `no-${part}`;
    const base = `k8s-clusterapi-cluster-${stage().namespace}-${name}`;
    const { capo, get, events } = stage();
    const heal = capo.faults.set({ kind: 'infrastructure-fails', part: part as keyof typeof cases, cluster: name });
    await stage().createCluster(name);
    await vi.waitFor(async () => {
      const cluster = await get(resources.openStackCluster, name);
      expect(conditionsOf(cluster)).toEqual(expected.conditions(base));
      expect(cluster.status).not.toMatchObject({ ready: true });
      expect(cluster.status).not.toHaveProperty('failureMessage');
    }, limit);
    if (part === 'security-groups') {
      const { status } = await get(resources.openStackCluster, name);
      const balancer = { name: '', id: '', ip: '', internalIP: '', loadBalancerNetwork: status['network'] };
      expect(status['apiServerLoadBalancer']).toEqual(balancer);
    }
    const warning = expected.warning?.(base);
    await vi.waitFor(async () => {
      const warnings = (await events(name)).filter((event) => event.startsWith('Warning '));
      expect(warnings).toEqual(warning === undefined ? [] : [warning]);
    }, limit);
    heal();
    await expectHealed(name);
  },
);

test('A load balancer that stays PENDING_CREATE is told of after a long silence', async () => {
  const name = 'pending';
  const heal = stage().capo.faults.set({
    kind: 'infrastructure-fails',
    part: 'load-balancer-not-active',
    cluster: name,
  });
  await stage().createCluster(name);
  await vi.waitFor(async () => {
    const cluster = await stage().get(resources.openStackCluster, name);
    const { id, name: balancer } = Object(cluster.status['apiServerLoadBalancer']);
    const words = `load balancer "${balancer}" with id ${id} is not active after timeout: timed out waiting for the condition`;
    expect(conditionsOf(cluster)).toEqual(endpointFailed(`failed to reconcile load balancer: ${words}`));
  }, limit);
  heal();
  await expectHealed(name);
});

test('A subnet that does not exist is fatal', async () => {
  const network = stage().cloud.state.networks.find(({ name }) => name === 'private');
  const own = { managedSubnets: undefined, network: { id: network?.id }, subnets: [{ id: crypto.randomUUID() }] };
  await stage().createCluster('fatal', own);
  const message = `failed to find subnet 0 in network ${network?.id}: filter matched no resources`;
  await vi.waitFor(async () => {
    const cluster = await stage().get(resources.openStackCluster, 'fatal');
    expect(conditionsOf(cluster)).toEqual([
      failed('Ready', 'OpenStackError', message),
      failed('NetworkReady', 'OpenStackError', `Failed to get cluster subnets: ${message}`),
    ]);
    expect(cluster.status).toMatchObject({ failureReason: 'UpdateError', failureMessage: message });
  }, limit);
});
