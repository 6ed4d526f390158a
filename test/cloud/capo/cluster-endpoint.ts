import { randomUUID } from 'node:crypto';
import type { LoadBalancer } from '../openstack/state.ts';
import type { WorkloadCluster } from '../workload/workload-cluster.ts';
import { type ClusterWork, mark, markFailed, resourceName, statusOf, wrapped } from './cluster-draft.ts';
import { falseCondition, trueCondition } from './condition.ts';
import { refuseByFault } from './refusals.ts';
import { addressOf } from './subnet-address.ts';

/** How often, and with which pauses, CAPO looks whether a load balancer is ACTIVE (loadbalancer/service.go). */
const activeWait = { steps: 20, firstSeconds: 1, factor: 1.25 };

/**
 * Gives the cluster its endpoint, which is that of its simulated workload cluster: no load balancer forwards anything.
 * Everything else is as CAPO has it (openstackcluster_controller.go, reconcileControlPlaneEndpoint).
 */
export async function reconcileEndpoint(work: ClusterWork): Promise<void> {
  const { context, cluster, draft } = work;
  const workload = await context.workloads.ensure(cluster.metadata.namespace, cluster.metadata.name);
  try {
    await provideEndpoint(work, workload);
  } catch (error) {
    const message = wrapped('Failed to reconcile control plane endpoint', error).message;
    const cause = { reason: 'APIEndpointConfigFailed', severity: 'Error', message } as const;
    mark(draft, falseCondition('APIEndpointReady', cause));
    throw error;
  }
  draft.spec.controlPlaneEndpoint = { ...workload.endpoint };
  mark(draft, trueCondition('APIEndpointReady'));
}

async function provideEndpoint(work: ClusterWork, { endpoint }: WorkloadCluster): Promise<void> {
  const { draft } = work;
  try {
    if (draft.spec.apiServerLoadBalancer?.enabled === true) {
      await reconcileLoadBalancer(work, endpoint).catch((cause: unknown) => {
        throw wrapped('failed to reconcile load balancer', cause);
      });
    } else if (draft.spec.controlPlaneEndpoint === undefined) {
      provideFloatingIp(work, endpoint.host);
    }
  } catch (error) {
    markFailed(draft, error instanceof Error ? error : new Error(String(error)), { fatal: false });
    throw error;
  }
}

function provideFloatingIp(work: ClusterWork, address: string): void {
  const { disableAPIServerFloatingIP, disableExternalNetwork, apiServerFixedIP } = work.draft.spec;
  if (disableAPIServerFloatingIP === true || disableExternalNetwork === true) {
    if (apiServerFixedIP === undefined) throw new Error('unable to determine control plane endpoint');
    return;
  }
  try {
    createFloatingIp(work, address);
  } catch (cause) {
    throw wrapped('floating IP cannot be got or created', cause);
  }
}

function createFloatingIp({ context, cluster, draft }: ClusterWork, address: string): void {
  if (statusOf(draft).externalNetwork === undefined) throw new Error('external network not found');
  try {
    refuseByFault(context, 'floating-ip', cluster.metadata.name);
  } catch (error) {
    context.events.warning(draft, 'FailedCreateFloatingIP', wrapped('Failed to create floating IP ', error).message);
    throw error;
  }
  const message = `Created floating IP ${address} with id ${randomUUID()}`;
  context.events.normal(draft, 'SuccessfulCreateFloatingIP', message);
}

/** Says in which network the load balancer will be; what else the status must have of it is empty until there is one. */
export function resolveLoadBalancerNetwork({ draft }: ClusterWork): void {
  if (draft.spec.apiServerLoadBalancer?.enabled !== true) return;
  const status = statusOf(draft);
  const { network, apiServerLoadBalancer } = status;
  if (network === undefined) return;
  const empty = { name: '', id: '', ip: '', internalIP: '' };
  status.apiServerLoadBalancer = { ...empty, ...apiServerLoadBalancer, loadBalancerNetwork: structuredClone(network) };
}

async function reconcileLoadBalancer(work: ClusterWork, endpoint: WorkloadCluster['endpoint']): Promise<void> {
  const { context, draft } = work;
  const status = statusOf(draft);
  const balancer = findLoadBalancer(work) ?? createLoadBalancer(work);
  const isFloating = draft.spec.disableAPIServerFloatingIP !== true;
  const known = status.apiServerLoadBalancer;
  const internal = addressOf(status.network?.subnets?.[0]?.cidr ?? '10.0.0.0/24', 5);
  status.apiServerLoadBalancer = {
    ...known,
    name: balancer.name,
    id: balancer.id,
    internalIP: isFloating ? internal : endpoint.host,
    ip: known?.ip ?? '',
  };
  await waitUntilActive(work, balancer);
  if (isFloating && status.apiServerLoadBalancer.ip === '') {
    createFloatingIp(work, endpoint.host);
    status.apiServerLoadBalancer.ip = endpoint.host;
    const message = `Associated floating IP ${endpoint.host} with port ${balancer.vipPortId}`;
    context.events.normal(draft, 'SuccessfulAssociateFloatingIP', message);
  }
  createListener(work, balancer, `${balancer.name}-${endpoint.port}`);
}

function createListener({ context, draft }: ClusterWork, balancer: LoadBalancer, name: string): void {
  balancer.listeners ??= [];
  if (balancer.listeners.includes(name)) return;
  balancer.listeners.push(name);
  const parts = [
    ['SuccessfulCreateListener', 'listener'],
    ['SuccessfulCreatePool', 'pool'],
    ['SuccessfulCreateMonitor', 'monitor'],
  ] as const;
  for (const [reason, what] of parts) {
    context.events.normal(draft, reason, `Created ${what} ${name} with id ${randomUUID()}`);
  }
}

/** The load balancer of the cluster's API, by its name as CAPO finds it. */
export function findLoadBalancer({ context, cluster, projectId }: ClusterWork): LoadBalancer | undefined {
  const name = `${resourceName(cluster)}-kubeapi`;
  return context.state.loadBalancers.find((balancer) => balancer.name === name && balancer.projectId === projectId);
}

function createLoadBalancer({ context, cluster, draft, projectId }: ClusterWork): LoadBalancer {
  const name = `${resourceName(cluster)}-kubeapi`;
  try {
    refuseByFault(context, 'load-balancer', cluster.metadata.name);
  } catch (error) {
    const message = wrapped(`Failed to create load balancer ${name}`, error).message;
    context.events.warning(draft, 'FailedCreateLoadBalancer', message);
    throw error;
  }
  const ids = { id: randomUUID(), vipPortId: randomUUID() };
  const { namespace } = cluster.metadata;
  const description = `Created by cluster-api-provider-openstack cluster ${namespace}-${cluster.metadata.name}`;
  const balancer = { ...ids, name, description, projectId, provisioningStatus: 'PENDING_CREATE' };
  context.state.loadBalancers.push(balancer);
  const message = `Created load balancer ${name} with id ${balancer.id}`;
  context.events.normal(draft, 'SuccessfulCreateLoadBalancer', message);
  return balancer;
}

/** CAPO waits within the reconciliation, so that meanwhile the OpenStackCluster says nothing of it. */
async function waitUntilActive({ context, cluster }: ClusterWork, balancer: LoadBalancer): Promise<void> {
  let seconds = activeWait.firstSeconds;
  for (let step = 1; step <= activeWait.steps; step += 1) {
    if (balancer.provisioningStatus === 'ACTIVE') return;
    await context.sleep(seconds);
    seconds *= activeWait.factor;
    const stays = context.faults.findPart('load-balancer-not-active', cluster.metadata.name) !== undefined;
    if (!stays && balancer.provisioningStatus === 'PENDING_CREATE') balancer.provisioningStatus = 'ACTIVE';
  }
  const { name, id } = balancer;
  throw new Error(
    `load balancer "${name}" with id ${id} is not active after timeout: timed out waiting for the condition`,
  );
}
