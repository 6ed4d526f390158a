import { startOrUndo } from '../../../local/start-or-undo.ts';
import {
  type SimulatedOpenStack,
  type SimulatedOpenStackOptions,
  startSimulatedOpenStack,
} from '../openstack/simulated-openstack.ts';
import { type KeystoneOptions, startKeystone } from './keystone.ts';

/** Starts a simulated OpenStack with a real Keystone of its own, which is stopped with it. */
export function startKeystoneCloud(
  options: Omit<SimulatedOpenStackOptions, 'keystone'> & KeystoneOptions = {},
): Promise<SimulatedOpenStack> {
  return startOrUndo(async (undo) => {
    const keystone = await startKeystone(options);
    undo.push(() => keystone.stop());
    const cloud = await startSimulatedOpenStack({ ...options, keystone });
    undo.push(() => cloud.stop());
    return cloud;
  });
}
