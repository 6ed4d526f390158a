import { observeCluster } from '../../shared/kubernetes/cluster-observation.ts';
import { type DerivedStatus, deriveStatus } from '../../shared/status/derive-status.ts';
import type { Observed } from '../../shared/status/observed.ts';
import type { Environment } from './environment.ts';

/** What one computation found out about a cluster. */
export interface Computation {
  /** When the observation began: of two reports, the one whose began later is right. */
  readonly begun: Date;
  readonly observed: Observed;
  /** null where nothing is known that could be reported. */
  readonly derived: DerivedStatus | null;
}

/** Reads a cluster and says how it is; writes nothing. @throws DependencyError */
export async function observeStatus(environment: Environment, stackId: string): Promise<Computation> {
  const { kubernetes, signal, onCloudRequest, now } = environment;
  const begun = now();
  return judge(await observeCluster(kubernetes, stackId, { signal, onCloudRequest, now }), begun);
}

/** What an observation means to somebody who does not know what Magnum knows. */
export function judge(observed: Observed, begun: Date): Computation {
  return { begun, observed, derived: deriveStatus(observed, { now: begun, magnum: null }) };
}
