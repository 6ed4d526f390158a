import type { OperationEnvironment } from './operation-environment.ts';

/** One operation while it holds the cluster's Lease. */
export interface HeldOperation<Event, Environment extends OperationEnvironment = OperationEnvironment> {
  readonly environment: Environment;
  readonly event: Event;
  /** Runs before each write. @throws DriverError when the Lease is lost or nobody waits for the result */
  readonly proceed: () => void;
}
