import { randomUUID } from 'node:crypto';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { type ClusterCertificates, makeClusterCertificates } from './cluster-certificates.ts';
import { completeEvent, type ExampleEvent, readExample } from './example-event.ts';

export interface ClusterChanges {
  /** Fields of the cluster; `labels` are added to those of the example. */
  readonly cluster?: Readonly<Record<string, unknown>>;
  readonly cluster_template?: Readonly<Record<string, unknown>>;
  readonly labels?: Readonly<Record<string, string | null>>;
  /** Fields of every worker nodegroup. */
  readonly workers?: Readonly<Record<string, unknown>>;
  /** The requesting user's token. */
  readonly token?: string;
  readonly options?: Readonly<Record<string, unknown>>;
}

let certificates: Promise<ClusterCertificates> | undefined;

/** Making keys takes most of a second, and no test tells one cluster's from another's. */
function sharedCertificates(): Promise<ClusterCertificates> {
  certificates ??= makeClusterCertificates('test');
  return certificates;
}

/** An event that creates a cluster of its own: the plain example with other ids and the given changes. */
export async function createEvent(cloud: SimulatedOpenStack, changes: ClusterChanges = {}): Promise<ExampleEvent> {
  const example = await readExample('cluster-create-plain.json');
  const uuid = randomUUID();
  const { data } = example;
  const labels = { ...asLabels(data.cluster.labels), ...changes.labels };
  const event = {
    ...example,
    id: `req-${randomUUID()}`,
    subject: uuid,
    partitionkey: uuid,
    time: new Date().toISOString(),
    data: {
      ...data,
      cluster: { ...data.cluster, uuid, ...changes.cluster, labels },
      cluster_template: { ...data.cluster_template, ...changes.cluster_template },
      nodegroups: data.nodegroups.map((group) => ({
        ...group,
        labels,
        ...(group['role'] === 'worker' ? changes.workers : {}),
      })),
      options: { ...asLabels(data['options']), ...changes.options },
    },
  };
  const secrets = { cloud, certificates: await sharedCertificates() };
  return completeEvent(event, changes.token === undefined ? secrets : { ...secrets, token: changes.token });
}

function asLabels(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
