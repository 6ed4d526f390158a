import {
  deleteFloatingIp,
  type FloatingIp,
  type LoadBalancer,
  listFloatingIps,
  type OpenStackError,
  ServiceMissingError,
  type Session,
} from 'openstack-client-ts';
import { sentence } from '../status/reason/sentence.ts';
import { answerOf, mayPass } from './cloud-answer.ts';

export interface FloatingIpRelease {
  /** Magnum's UUID of the cluster. */
  readonly uuid: string;
  /** Runs before each deletion and may throw to stop it. */
  readonly beforeWrite: () => void;
  /** Takes a sentence for each floating IP that stays for good, by id. */
  readonly kept: Map<string, string>;
}

/**
 * Deletes the floating IPs of a load balancer that the cluster's cloud controller manager made; an address that a user
 * brought stays. Returns why the load balancer has to stay for now, or null where it may go.
 *
 * It comes before the deletion of the load balancer, because the port of the load balancer is the only sure way to its
 * floating IP: a process that stops in between finds the load balancer again. A search by description alone would also
 * find addresses that a user keeps on purpose (the Service's annotation `keep-floatingip`) or has put to another use.
 */
export async function releaseFloatingIps(
  session: Session,
  balancer: LoadBalancer,
  { uuid, beforeWrite, kept }: FloatingIpRelease,
): Promise<string | null> {
  const { name, vipPortId, projectId } = balancer;
  if (vipPortId === null) return null;
  const { value: onPort = [], error } = await answerOf(() => floatingIpsOn(session, vipPortId));
  if (error !== undefined) {
    return heldBy(error, {
      id: vipPortId,
      subject: `The floating IP of load balancer ${name} cannot be looked up`,
      kept,
    });
  }
  const made = new RegExp(`^Floating IP for Kubernetes .+ from cluster ${uuid}$`);
  const own = onPort.filter((one) => one.projectId === projectId && made.test(one.description) && !kept.has(one.id));
  for (const { id, address } of own) {
    beforeWrite();
    const { error: refusal } = await answerOf(() => deleteFloatingIp(session, id));
    if (refusal === undefined) continue;
    const subject = `Floating IP ${address} of load balancer ${name} cannot be deleted`;
    const held = heldBy(refusal, { id, subject, kept });
    if (held !== null) return held;
  }
  return null;
}

async function floatingIpsOn(session: Session, portId: string): Promise<readonly FloatingIp[]> {
  try {
    return await listFloatingIps(session, { portId });
  } catch (error) {
    if (error instanceof ServiceMissingError) return [];
    throw error;
  }
}

/** A cloud may forbid it by policy: then the load balancer goes all the same, else the cluster could never be deleted. */
function heldBy(
  error: OpenStackError,
  { id, subject, kept }: { readonly id: string; readonly subject: string; readonly kept: Map<string, string> },
): string | null {
  const told = sentence(subject, error.message);
  if (mayPass(error)) return told;
  kept.set(id, told);
  return null;
}
