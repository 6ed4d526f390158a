import { createKubernetesClient } from '../../shared/kubernetes/client.ts';
import type { KubernetesConnection } from '../../shared/kubernetes/connection.ts';
import { leaseExpiry } from '../../shared/kubernetes/lease-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import type { Overlay } from './overlay.ts';

interface Subject {
  /** Of the Magnum cluster. */
  readonly uuid: string;
  readonly overlay: Overlay;
}

/** What a plan cannot know, one sentence each. */
export async function warningsOf(connection: KubernetesConnection, { uuid, overlay }: Subject): Promise<string[]> {
  return [...(await leaseWarning(connection, uuid)), ...classWarning(overlay)];
}

/** The plan itself takes no Lease. */
async function leaseWarning(connection: KubernetesConnection, uuid: string): Promise<string[]> {
  const client = createKubernetesClient(connection);
  try {
    const lease = await client.find(resources.lease, { namespace, name: `cluster-${uuid}` });
    const isHeld = lease !== undefined && (client.serverTime() ?? 0) <= leaseExpiry(lease);
    return isHeld
      ? ['Another operation on the cluster goes on at this moment: what it changes is not in the plan.']
      : [];
  } finally {
    client.close();
  }
}

/** A dry run leaves no class, and Cluster API judges a Cluster by the class that it finds. */
function classWarning({ writes }: Overlay): string[] {
  const classes = writes.filter(
    ({ type, before }) => type.kind === resources.clusterClass.kind && before === undefined,
  );
  const names = new Set(classes.map(({ reference }) => reference.name));
  const isUsed = writes.some(
    ({ type, after }) =>
      type.kind === resources.cluster.kind && names.has(textAt(after, 'spec', 'topology', 'classRef', 'name') ?? ''),
  );
  return isUsed
    ? [`Cluster API could not judge the Cluster by class ${[...names].join(', ')}, which does not exist yet.`]
    : [];
}
