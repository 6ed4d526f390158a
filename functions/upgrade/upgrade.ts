import type { EventData } from '../../shared/contract/event-types.ts';
import type { CloudEventIn } from '../../shared/host/cloud-event.ts';
import type { HeldOperation } from '../../shared/operation/held-operation.ts';
import type { clusterUpgradeType } from './accepted-events.ts';
import type { Environment } from './environment.ts';

export type UpgradeEvent = CloudEventIn<typeof clusterUpgradeType, EventData<typeof clusterUpgradeType>>;

/** One upgrade while it holds the cluster's Lease. */
export type Upgrade = HeldOperation<UpgradeEvent, Environment>;
