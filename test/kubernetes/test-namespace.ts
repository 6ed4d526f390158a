import { randomBytes } from 'node:crypto';
import { inject } from 'vitest';
import type { KubernetesClientOptions } from '../../shared/kubernetes/caller.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { KubernetesConnection } from '../../shared/kubernetes/connection.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';

const namespaces: ResourceType = { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false };

export interface TestNamespace {
  readonly namespace: string;
  readonly connection: KubernetesConnection;
  readonly client: KubernetesClient;
  /** Another client of its own, e.g. for another function. */
  connect(options?: KubernetesClientOptions & { readonly server?: string }): KubernetesClient;
  close(): void;
}

/** A new namespace on the shared control plane, so that test files do not meet. */
export async function createTestNamespace(prefix: string): Promise<TestNamespace> {
  const adminToken = inject('adminToken');
  const connection = {
    server: inject('server'),
    caCertificate: inject('caCertificate'),
    token: async () => adminToken,
  };
  const clients: KubernetesClient[] = [];
  const connect: TestNamespace['connect'] = ({ server = connection.server, ...options } = {}) => {
    const client = createKubernetesClient({ ...connection, server }, options);
    clients.push(client);
    return client;
  };
  const client = connect();
  const namespace = `${prefix}-${randomBytes(4).toString('hex')}`;
  await client.create(namespaces, { metadata: { name: namespace } });
  const close = () => {
    for (const each of clients) each.close();
  };
  return { namespace, connection, client, connect, close };
}
