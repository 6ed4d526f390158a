import { asRecord, type OperationRecord } from '../../kubernetes/operation-record.ts';
import { partAt, textAt, timeAt } from './json-part.ts';

/** What the rules read of what was observed of the cloud-config Secret. */
export interface CloudConfigView {
  readonly uuid: string | null;
  readonly deleteRequested: OperationRecord | null;
  /** Milliseconds since the epoch. */
  readonly created: number | null;
}

export function readCloudConfig(observed: unknown): CloudConfigView {
  return {
    uuid: textAt(observed, 'uuid') ?? textAt(observed, 'record', 'uuid'),
    deleteRequested:
      asRecord(partAt(observed, 'deleteRequested')) ?? asRecord(partAt(observed, 'record', 'deleteRequested')),
    created: timeAt(observed, 'created'),
  };
}
