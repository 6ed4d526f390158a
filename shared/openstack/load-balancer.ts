import * as z from 'zod';
import { shaped } from './answer-shape.ts';
import { deleteIfThere } from './delete.ts';
import { listAll } from './pages.ts';
import type { Session } from './session.ts';

const service = 'load-balancer';

export interface LoadBalancer {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly projectId: string;
  /**
   * ACTIVE, ERROR, or what Octavia does to it just now: PENDING_CREATE, PENDING_UPDATE, PENDING_DELETE. Only the first two
   * can be deleted.
   */
  readonly provisioningStatus: string;
  /** As `ONLINE`, `OFFLINE`, `DEGRADED`; null where Octavia does not know. */
  readonly operatingStatus: string | null;
  /** Port of its address in Neutron; null before there is one. */
  readonly vipPortId: string | null;
}

const loadBalancer = z
  .object({
    id: z.string(),
    name: z.string().nullish(),
    description: z.string().nullish(),
    project_id: z.string().nullish(),
    provisioning_status: z.string(),
    operating_status: z.string().nullish(),
    vip_port_id: z.string().nullish(),
  })
  .transform(
    (answer): LoadBalancer => ({
      id: answer.id,
      name: answer.name ?? '',
      description: answer.description ?? '',
      projectId: answer.project_id ?? '',
      provisioningStatus: answer.provisioning_status,
      operatingStatus: answer.operating_status ?? null,
      vipPortId: answer.vip_port_id ?? null,
    }),
  );

function pathOf(id: string): string {
  return `/lbaas/loadbalancers/${encodeURIComponent(id.toWellFormed())}`;
}

/**
 * The load balancers that the session may see: those of its project; for an administrator those of all projects, unless
 * `projectId` names one.
 */
export function listLoadBalancers(
  session: Session,
  options: { readonly projectId?: string } = {},
): Promise<readonly LoadBalancer[]> {
  const query: Record<string, string> = options.projectId === undefined ? {} : { project_id: options.projectId };
  const call = { service, path: '/lbaas/loadbalancers', query };
  return listAll(session, { call, key: 'loadbalancers', nextKey: 'loadbalancers_links', item: loadBalancer });
}

/** @throws NotFoundError, also for one that is deleted */
export async function getLoadBalancer(session: Session, id: string): Promise<LoadBalancer> {
  const { body } = await session.send({ service, method: 'GET', path: pathOf(id) });
  return shaped(z.object({ loadbalancer: loadBalancer }), body, service).loadbalancer;
}

/**
 * Begins to delete a load balancer with its listeners, pools and members: it is PENDING_DELETE until it is gone. Returns
 * false where there was none.
 * @throws ConflictError while it is in any PENDING status
 */
export function deleteLoadBalancer(session: Session, id: string): Promise<boolean> {
  return deleteIfThere(session, { service, path: pathOf(id), query: { cascade: 'true' } });
}
