import { inject } from 'vitest';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { startControlPlane } from '../env/control-plane.ts';
import type { AuditedControlPlane } from '../rights/check-rights.ts';
import { type FunctionStage, startFunctionStage } from './function-stage.ts';
import { stageOn } from './stage-on.ts';

type StageOfFile = () => FunctionStage;

/**
 * A stage for a test file, on the control plane of the run; it is there once the tests run. The file fails where a function
 * was forbidden something.
 * @param variables further ones of each function's environment
 * @param startCloud starts the OpenStack: `startKeystoneCloud` for one with a real Keystone
 */
export function stageOfFile(
  variables: Readonly<Record<string, string>> = {},
  startCloud?: () => Promise<SimulatedOpenStack>,
): StageOfFile {
  return stageOn(
    async () => ({ ...sharedControlPlane(), stop: async () => undefined }),
    (controlPlane) => startFunctionStage(controlPlane, variables, startCloud),
  );
}

/** The same on a control plane of the file's own, for functions that look at every cluster there is. */
export function ownStageOfFile(): StageOfFile {
  return stageOn(startControlPlane, (controlPlane) => startFunctionStage(controlPlane));
}

/** The control plane of the run. */
export function sharedControlPlane(): AuditedControlPlane {
  return {
    server: inject('server'),
    caCertificate: inject('caCertificate'),
    adminToken: inject('adminToken'),
    auditLogPath: inject('auditLogPath'),
  };
}
