import { schemaUri } from '../../shared/contract/schema-uri.ts';
import type { CloudEventOut } from '../../shared/host/cloud-event.ts';
import type { StatusReport } from '../../shared/status/progress.ts';

const type = 'org.openstack.magnum.cluster.status.v1';

/** @param time when the observation began: whoever has a report of a later time drops this one */
export function statusReply(report: StatusReport, time: Date): CloudEventOut {
  const { cluster_uuid: uuid } = report;
  return { type, dataschema: schemaUri(type), subject: uuid, partitionkey: uuid, time, data: report };
}
