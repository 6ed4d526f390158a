import type { EventData } from '../../shared/contract/event-types.ts';
import type { CloudEventIn } from '../../shared/host/cloud-event.ts';
import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import type { credentialRotateType } from './accepted-events.ts';

export type RotateEvent = CloudEventIn<typeof credentialRotateType, EventData<typeof credentialRotateType>>;

/** Everything that one rotation works with once it holds the Lease. */
export interface Rotation {
  readonly environment: OperationEnvironment;
  readonly event: RotateEvent;
  /** Runs before each write. @throws DriverError when the Lease is lost or nobody waits for the result */
  readonly proceed: () => void;
}
