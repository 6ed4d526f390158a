import { functionNames } from '../../shared/contract/event-types.ts';
import type { FunctionProcesses } from '../system/function-processes.ts';
import type { FunctionGateway } from './function-gateway.ts';
import type { Killable } from './magnum-services.ts';

/** All functions at once, with the gateway before them. */
export function killableFunctions(functions: FunctionProcesses, gateway: FunctionGateway): Killable {
  return {
    async kill() {
      await gateway.close();
      const starts = await Promise.all(functionNames.map((name) => functions.kill(name)));
      return async () => {
        await Promise.all(starts.map((start) => start()));
        await gateway.open();
      };
    },
  };
}
