import { type Condition, readConditions } from './condition.ts';
import { textAt } from './json-part.ts';

/** An OpenStackCluster, OpenStackServer or OpenStackMachine of CAPO. */
export interface CloudObject {
  readonly name: string;
  /** Id of the server; null where Nova has made none. */
  readonly instanceId: string | null;
  /** As Nova says, e.g. `ACTIVE`, `ERROR`; also `ERROR` where creating it failed. */
  readonly instanceState: string | null;
  /** What CAPO says of a failure that it will not try to get over. */
  readonly failureMessage: string | null;
  readonly conditions: readonly Condition[];
}

export function readCloudObject(object: unknown): CloudObject {
  return {
    name: textAt(object, 'metadata', 'name') ?? '',
    instanceId: textAt(object, 'status', 'instanceID'),
    instanceState: textAt(object, 'status', 'instanceState'),
    failureMessage: textAt(object, 'status', 'failureMessage'),
    conditions: readConditions(object),
  };
}
