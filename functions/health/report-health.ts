import { schemaUri } from '../../shared/contract/schema-uri.ts';
import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import { deriveHealth, type HealthReport, type ObservedHealth } from '../../shared/status/derive-health.ts';
import type { Environment } from './environment.ts';

const type = 'org.openstack.magnum.cluster.health.v1';

export interface ObservedCluster extends ObservedHealth {
  /** UUID of the Magnum cluster as the request names it; null = by the Cluster's label. */
  readonly uuid: string | null;
  /** When the observation began. */
  readonly time: Date;
}

/** The report on a cluster that was observed; undefined where it is no cluster of Magnum's that we know. */
export async function reportHealth(
  environment: Environment,
  { time, ...observed }: ObservedCluster,
): Promise<CloudEventOut | undefined> {
  const data = await judge(environment, observed);
  if (data === null) return undefined;
  const { cluster_uuid: uuid } = data;
  return { type, dataschema: schemaUri(type), subject: uuid, partitionkey: uuid, time, data };
}

/** The cluster itself is asked only where Cluster API finds no fault with it. */
async function judge(
  { kubernetes, probe }: Environment,
  { uuid, ...observed }: Omit<ObservedCluster, 'time'>,
): Promise<HealthReport | null> {
  const report = deriveHealth(observed, { uuid });
  const { cluster } = observed;
  if (probe === undefined || cluster === null || report?.health_status_reason['api'] !== 'ok') return report;
  return deriveHealth({ ...observed, probe: await probe.ask(kubernetes, cluster) }, { uuid });
}
