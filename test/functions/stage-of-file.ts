import { afterAll, beforeAll, inject } from 'vitest';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { auditLogSize, checkRights } from '../rights/check-rights.ts';
import { type ControlPlaneAddress, type FunctionStage, startFunctionStage } from './function-stage.ts';

/**
 * A stage for a test file, on the control plane of the run; it is there once the tests run. The file fails where a function
 * was forbidden something.
 * @param variables further ones of each function's environment
 * @param startCloud starts the OpenStack: `startKeystoneCloud` for one with a real Keystone
 */
export function stageOfFile(
  variables: Readonly<Record<string, string>> = {},
  startCloud?: () => Promise<SimulatedOpenStack>,
): () => FunctionStage {
  let stage: FunctionStage | undefined;
  let logged = 0;
  beforeAll(async () => {
    logged = await auditLogSize(inject('auditLogPath'));
    stage = await startFunctionStage(sharedControlPlane(), variables, startCloud);
    // A real Keystone may have to be installed first.
  }, 600_000);
  afterAll(async () => {
    await stage?.stop();
    await checkRights({ ...sharedControlPlane(), auditLogPath: inject('auditLogPath') }, logged);
  });
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}

function sharedControlPlane(): ControlPlaneAddress {
  return { server: inject('server'), caCertificate: inject('caCertificate'), adminToken: inject('adminToken') };
}
