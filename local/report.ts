import type * as z from 'zod';
import { clusterHealth, clusterStatus } from '../shared/contract/replies.ts';
import { type CarriedEvent, eventData } from '../shared/event/carried-event.ts';

/** What a function says about a cluster unasked. */
export type Report =
  | { readonly kind: 'status'; readonly time: string; readonly status: z.output<typeof clusterStatus> }
  | { readonly kind: 'health'; readonly time: string; readonly health: z.output<typeof clusterHealth> };

const statusType = 'org.openstack.magnum.cluster.status.v1';
const healthType = 'org.openstack.magnum.cluster.health.v1';

/**
 * The report that an event carries; undefined for any other event.
 * @throws ZodError for a report that is not as the contract says
 */
export function reportOf(event: CarriedEvent): Report | undefined {
  const { type, time = '' } = event.attributes;
  if (type === statusType) return { kind: 'status', time, status: clusterStatus.parse(eventData(event)) };
  if (type === healthType) return { kind: 'health', time, health: clusterHealth.parse(eventData(event)) };
  return undefined;
}
