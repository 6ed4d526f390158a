import type { EventData } from '../../shared/contract/event-types.ts';
import type { CloudEventIn } from '../../shared/host/cloud-event.ts';
import type { HeldOperation } from '../../shared/operation/held-operation.ts';
import type { credentialRotateType } from './accepted-events.ts';

export type RotateEvent = CloudEventIn<typeof credentialRotateType, EventData<typeof credentialRotateType>>;

/** Everything that one rotation works with once it holds the Lease. */
export type Rotation = HeldOperation<RotateEvent>;
