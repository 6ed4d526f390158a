import { afterAll, beforeAll, inject } from 'vitest';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { type FunctionStage, startFunctionStage } from './function-stage.ts';

/**
 * A stage for a test file, on the control plane of the run; it is there once the tests run.
 * @param variables further ones of each function's environment
 * @param startCloud starts the OpenStack: `startKeystoneCloud` for one with a real Keystone
 */
export function stageOfFile(
  variables: Readonly<Record<string, string>> = {},
  startCloud?: () => Promise<SimulatedOpenStack>,
): () => FunctionStage {
  let stage: FunctionStage | undefined;
  beforeAll(async () => {
    const controlPlane = {
      server: inject('server'),
      caCertificate: inject('caCertificate'),
      adminToken: inject('adminToken'),
    };
    stage = await startFunctionStage(controlPlane, variables, startCloud);
    // A real Keystone may have to be installed first.
  }, 600_000);
  afterAll(() => stage?.stop());
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}
