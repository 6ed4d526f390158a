import * as z from 'zod';
import { deleteIfThere } from './delete.ts';
import { listAll } from './pages.ts';
import type { Session } from './session.ts';

const service = 'network';

export interface FloatingIp {
  readonly id: string;
  readonly address: string;
  readonly description: string;
  readonly projectId: string;
  /** Port that it leads to; null where it leads nowhere. */
  readonly portId: string | null;
}

const floatingIp = z
  .object({
    id: z.string(),
    floating_ip_address: z.string().nullish(),
    description: z.string().nullish(),
    project_id: z.string().nullish(),
    port_id: z.string().nullish(),
  })
  .transform(
    (answer): FloatingIp => ({
      id: answer.id,
      address: answer.floating_ip_address ?? '',
      description: answer.description ?? '',
      projectId: answer.project_id ?? '',
      portId: answer.port_id ?? null,
    }),
  );

/** The floating IPs that lead to a port; at most one for each of the port's addresses. */
export function listFloatingIps(
  session: Session,
  { portId }: { readonly portId: string },
): Promise<readonly FloatingIp[]> {
  const call = { service, path: '/floatingips', query: { port_id: portId } };
  return listAll(session, { call, key: 'floatingips', nextKey: 'floatingips_links', item: floatingIp });
}

/** Takes the floating IP from its port and gives it back to the cloud. Returns false where there was none. */
export function deleteFloatingIp(session: Session, id: string): Promise<boolean> {
  return deleteIfThere(session, { service, path: `/floatingips/${encodeURIComponent(id.toWellFormed())}` });
}
