import {
  deleteLoadBalancer,
  type LoadBalancer,
  listLoadBalancers,
  ServiceMissingError,
  type Session,
} from 'openstack-client-ts';
import type { Clock } from '../kubernetes/clock.ts';
import { sentence } from '../status/reason/sentence.ts';
import { answerOf, mayPass } from './cloud-answer.ts';
import type { Leftover } from './leftover.ts';
import { releaseFloatingIps } from './service-floating-ips.ts';

/** How often is looked whether the load balancers are gone, in ms, as Magnum does it. */
const pollMs = 1_000;

export interface LoadBalancerCleanup {
  /** Magnum's UUID, under which the cluster's cloud controller manager knows its cluster. */
  readonly uuid: string;
  /** How long the load balancers may take to go away, in ms; 0 = one pass, in which their deletion begins. */
  readonly waitMs: number;
  /** Runs before each deletion and may throw to stop all of it. */
  readonly beforeWrite: () => void;
  readonly clock: Clock;
  /** The cluster's project, for the session of an administrator. @default the session's own */
  readonly projectId?: string;
  /** Ends the wait, and begins no further deletion. */
  readonly signal?: AbortSignal;
}

/** A load balancer that is still there. */
interface Left extends Leftover {
  readonly id: string;
}

interface Work {
  readonly session: Session;
  readonly cleanup: LoadBalancerCleanup;
  readonly projectId: string | undefined;
  /** Load balancers that are not tried again, by id. */
  readonly refused: Map<string, Left>;
  /** What is told of floating IPs that stay, by id: they are not found again once their load balancer is gone. */
  readonly kept: Map<string, string>;
}

/**
 * Deletes the load balancers that the cloud controller manager made for the Services of one cluster, with their floating
 * IPs, and waits until they are gone: while one is there, the cluster's network cannot be deleted. The controller may still
 * run and make another, which is found at the next look.
 *
 * Returns what is left; empty = nothing. What the cloud answers to one load balancer never throws.
 * @throws what `beforeWrite` throws, and OpenStackError where the list itself cannot be read
 */
export async function removeServiceLoadBalancers(
  session: Session,
  cleanup: LoadBalancerCleanup,
): Promise<readonly Leftover[]> {
  const { clock, waitMs, signal } = cleanup;
  const deadline = clock.monotonic() + waitMs;
  const projectId = cleanup.projectId ?? (await session.authentication()).project?.id;
  const work: Work = { session, cleanup, projectId, refused: new Map(), kept: new Map() };
  for (;;) {
    const left = await onePass(work);
    const remainingMs = deadline - clock.monotonic();
    if (left.every(({ isFinal }) => isFinal) || remainingMs <= 0 || signal?.aborted === true) {
      return [...left, ...Array.from(work.kept.values(), (told) => ({ told, isFinal: true }))];
    }
    await clock.sleep(Math.min(pollMs, remainingMs), signal);
  }
}

async function onePass(work: Work): Promise<readonly Left[]> {
  const left: Left[] = [];
  for (const balancer of await ownLoadBalancers(work)) {
    const one = work.refused.get(balancer.id) ?? (await removeOne(work, balancer));
    if (one === null) continue;
    if (one.isFinal) work.refused.set(one.id, one);
    left.push(one);
  }
  return left;
}

async function ownLoadBalancers({ session, cleanup, projectId }: Work): Promise<readonly LoadBalancer[]> {
  // The UUID ends the description; only the controller for Ingresses of the same provider writes a version behind it.
  const made = new RegExp(`^Kubernetes .+ from cluster ${cleanup.uuid}(?:, version: \\S+)?$`);
  try {
    const listed = await listLoadBalancers(session, projectId === undefined ? {} : { projectId });
    return listed.filter((balancer) => {
      // What is DELETED only waits to be purged.
      const isThere = balancer.provisioningStatus !== 'DELETED';
      return isThere && balancer.projectId === projectId && made.test(balancer.description);
    });
  } catch (error) {
    if (error instanceof ServiceMissingError) return [];
    throw error;
  }
}

/** null where it is gone already. */
async function removeOne(work: Work, balancer: LoadBalancer): Promise<Left | null> {
  const { id, name, provisioningStatus: status } = balancer;
  const subject = `Load balancer ${name} (${id})`;
  const waiting = (what: string): Left => ({ id, told: sentence(`${subject} ${what}`), isFinal: false });
  if (status === 'PENDING_DELETE') return waiting('is still being deleted');
  if (status.startsWith('PENDING_')) return waiting(`cannot be deleted while it is in ${status}`);
  if (work.cleanup.signal?.aborted === true) return waiting('is not deleted yet');
  const { uuid, beforeWrite } = work.cleanup;
  const held = await releaseFloatingIps(work.session, balancer, { uuid, beforeWrite, kept: work.kept });
  if (held !== null) return { id, told: held, isFinal: false };
  beforeWrite();
  const { value: wasThere, error } = await answerOf(() => deleteLoadBalancer(work.session, id));
  if (error === undefined) return wasThere ? waiting('is still being deleted') : null;
  return { id, told: sentence(`${subject} cannot be deleted`, error.message), isFinal: !mayPass(error) };
}
