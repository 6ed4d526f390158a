import { randomUUID } from 'node:crypto';
import type { CloudState, FloatingIp, LoadBalancer } from './state.ts';

export interface KubernetesService {
  /** The name under which the controller knows its cluster: Magnum's UUID. */
  readonly clusterName: string;
  /** @default 'default' */
  readonly namespace?: string;
  readonly name: string;
  /** @default the project demo */
  readonly projectId?: string;
}

/**
 * Puts in place what the cloud controller manager of OpenStack makes for a Service of type LoadBalancer: an ACTIVE load
 * balancer with a listener, and on its port a floating IP (cloud-provider-openstack, pkg/openstack/loadbalancer.go).
 */
export function addServiceLoadBalancer(
  state: CloudState,
  service: KubernetesService,
): { readonly balancer: LoadBalancer; readonly floatingIp: FloatingIp } {
  const { clusterName, namespace = 'default', name, projectId = demoProjectId(state) } = service;
  // The controller cuts names, not descriptions, to what Octavia takes.
  const balancerName = `kube_service_${clusterName}_${namespace}_${name}`.slice(0, 255);
  const description = `Kubernetes external service ${namespace}/${name} from cluster ${clusterName}`;
  const balancer: LoadBalancer = {
    id: randomUUID(),
    name: balancerName,
    description,
    projectId,
    provisioningStatus: 'ACTIVE',
    vipPortId: randomUUID(),
    listeners: [`listener_0_${balancerName}`.slice(0, 255)],
  };
  const floatingIp: FloatingIp = {
    id: randomUUID(),
    address: `203.0.113.${(state.floatingIps.length % 254) + 1}`,
    description: `Floating IP for ${description}`,
    projectId,
    portId: balancer.vipPortId,
  };
  state.loadBalancers.push(balancer);
  state.floatingIps.push(floatingIp);
  return { balancer, floatingIp };
}

function demoProjectId(state: CloudState): string {
  const demo = state.projects.find(({ name }) => name === 'demo');
  if (demo === undefined) throw new RangeError('The simulated cloud has no project demo.');
  return demo.id;
}
