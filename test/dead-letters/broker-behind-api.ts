import { networkInterfaces } from 'node:os';
import { createDefinitions } from '../env/api-server-setup.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { lenientDefinition } from '../knative/knative-definitions.ts';

/** API servers pass nothing on to a loopback address. */
export const ownAddress = Object.values(networkInterfaces())
  .flatMap((addresses) => addresses ?? [])
  .find(({ family, internal }) => family === 'IPv4' && !internal)?.address;

const namespace = 'knative-eventing';
const service = 'broker-ingress';
const brokers = '/apis/eventing.knative.dev/v1/namespaces/magnum-system/brokers';

/** A Broker whose ingress is an HTTP server of this process, behind a Service as Knative's is. */
export async function createBroker(api: KubernetesApi): Promise<void> {
  const definition = lenientDefinition('eventing.knative.dev', 'v1', 'Broker');
  await createDefinitions(api, [definition], AbortSignal.timeout(60_000));
  await api.call('POST', '/api/v1/namespaces', { metadata: { name: namespace } });
  await api.call('POST', brokers, {
    apiVersion: 'eventing.knative.dev/v1',
    kind: 'Broker',
    metadata: { name: 'magnum' },
    status: { address: { url: `http://${service}.${namespace}.svc.cluster.local/magnum-system/magnum` } },
  });
}

/** Merges into the status of the Broker. */
export async function changeBroker(api: KubernetesApi, status: object): Promise<void> {
  await api.call('PATCH', `${brokers}/magnum`, { status });
}

/** Lets the Service lead to a server of this machine, which stands for a pod: API servers pass nothing on to anybody else. */
export async function leadTo(api: KubernetesApi, port: number): Promise<void> {
  const metadata = { name: service, namespace };
  const ports = [{ name: 'http', port }];
  const core = `/api/v1/namespaces/${namespace}`;
  const spec = { containers: [{ name: 'ingress', image: 'ingress' }] };
  await api.call('POST', `${core}/pods`, { metadata, spec });
  await api.call('PATCH', `${core}/pods/${service}/status`, { status: { podIPs: [{ ip: ownAddress }] } });
  await api.call('POST', `${core}/services`, {
    metadata,
    spec: { ports: [{ name: 'http', port: 80, targetPort: port }] },
  });
  const addresses = [{ ip: ownAddress, targetRef: { kind: 'Pod', ...metadata } }];
  await api.call('POST', `${core}/endpoints`, { metadata, subsets: [{ addresses, ports }] });
}
