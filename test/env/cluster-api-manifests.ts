import { join } from 'node:path';
import * as z from 'zod';
import { type CustomResourceDefinition, readDefinitions, readDocuments } from './manifests.ts';
import { type ManagerName, managerNames } from './parts.ts';

/** Contracts that each of Cluster API's own kinds fulfils; its release manifests say so by these labels. */
const contracts = { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/v1beta2': 'v1beta2' };

/** The manager that converts the kinds of a group; all other groups are the core's. */
const groupManagers: Readonly<Record<string, ManagerName>> = {
  'bootstrap.cluster.x-k8s.io': 'cabpk',
  'controlplane.cluster.x-k8s.io': 'kcp',
};

const webhookConfiguration = z.looseObject({
  apiVersion: z.literal('admissionregistration.k8s.io/v1'),
  kind: z.enum(['MutatingWebhookConfiguration', 'ValidatingWebhookConfiguration']),
  metadata: z.looseObject({ name: z.string() }),
  webhooks: z.array(z.looseObject({ clientConfig: z.object({ service: z.looseObject({ path: z.string() }) }) })),
});
type WebhookConfiguration = z.infer<typeof webhookConfiguration>;

export interface ClusterApiManifests {
  readonly definitions: readonly CustomResourceDefinition[];
  readonly webhooks: ReadonlyMap<ManagerName, readonly WebhookConfiguration[]>;
}

/** Where the managers listen, and who signed their certificates. */
export interface WebhookServers {
  readonly ports: Readonly<Record<ManagerName, number>>;
  readonly caCertificate: string;
}

/** Reads the asset folder `cluster-api`. */
export async function readClusterApiManifests(directory: string): Promise<ClusterApiManifests> {
  const definitions = await readDefinitions(join(directory, 'crds'));
  const webhooks = new Map<ManagerName, WebhookConfiguration[]>();
  for (const manager of managerNames) {
    const documents = await readDocuments(join(directory, 'webhooks', `${manager}.yaml`));
    webhooks.set(
      manager,
      documents.map((document) => webhookConfiguration.parse(document)),
    );
  }
  return { definitions, webhooks };
}

/** The definitions with their contracts and conversion webhooks. */
export function connectDefinitions(manifests: ClusterApiManifests, servers: WebhookServers) {
  return manifests.definitions.map((definition) => {
    const { metadata, spec } = definition;
    const manager = groupManagers[spec.group] ?? 'capi-core';
    const conversion = {
      strategy: 'Webhook',
      webhook: { conversionReviewVersions: ['v1'], clientConfig: clientConfig(manager, '/convert', servers) },
    };
    return {
      ...definition,
      metadata: { ...metadata, labels: contracts },
      spec: spec.versions.length > 1 ? { ...spec, conversion } : spec,
    };
  });
}

/** The admission webhooks of all managers, called at their loopback addresses. */
export function connectWebhooks(manifests: ClusterApiManifests, servers: WebhookServers) {
  return [...manifests.webhooks].flatMap(([manager, configurations]) =>
    configurations.map((configuration) => ({
      ...configuration,
      metadata: { name: `${manager}-${configuration.metadata.name}` },
      webhooks: configuration.webhooks.map((webhook) => ({
        ...webhook,
        clientConfig: clientConfig(manager, webhook.clientConfig.service.path, servers),
      })),
    })),
  );
}

function clientConfig(manager: ManagerName, path: string, servers: WebhookServers) {
  return {
    url: `https://127.0.0.1:${servers.ports[manager]}${path}`,
    caBundle: Buffer.from(servers.caCertificate).toString('base64'),
  };
}
