import { RejectedError } from '../contract/errors.ts';
import type { Outcome } from '../magnum/reading/fault-list.ts';

/** @throws RejectedError with every fault of the snapshot */
export function requireIntent<Intent>(
  outcome: Outcome<Intent>,
): Exclude<Outcome<Intent>, { readonly faults: unknown }> {
  if ('faults' in outcome) throw new RejectedError(outcome.faults);
  return outcome;
}
