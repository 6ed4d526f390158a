import { createFunction } from '../../functions/create/handler.ts';
import { deleteFunction } from '../../functions/delete/handler.ts';
import { resizeFunction } from '../../functions/resize/handler.ts';
import { upgradeFunction } from '../../functions/upgrade/handler.ts';
import type { EventFunction } from '../../shared/host/event-function.ts';
import type { OperationFunctionOptions } from '../../shared/operation/operation-environment.ts';

/** The functions that change clusters, as they are. In a dry run Cluster API never applies what they write: nobody waits for it. */
export function plannedFunctions(
  options: OperationFunctionOptions & { readonly version: string },
): readonly EventFunction[] {
  return [
    createFunction(options),
    resizeFunction(options),
    upgradeFunction({ ...options, applyMs: 0 }),
    deleteFunction(options),
  ];
}
