import { afterAll, afterEach, beforeAll } from 'vitest';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { checkRights } from '../rights/check-rights.ts';
import { type SystemStage, type SystemStageOptions, startSystemStage } from './system-stage.ts';

/** @throws Error before the tests run */
export type SystemOfFile = () => SystemStage & { readonly controlPlane: ControlPlane };

/**
 * Starts a control plane and the whole system on it for one test file: simulated machines and sources act on every Cluster
 * there is, so no other file may have one there. The file fails where a function was forbidden something.
 */
export function systemOfFile(options: Omit<SystemStageOptions, 'controlPlane'> = {}): SystemOfFile {
  let controlPlane: ControlPlane | undefined;
  let stage: SystemStage | undefined;
  let hasFailed = false;
  beforeAll(async () => {
    controlPlane = await startControlPlane();
    stage = await startSystemStage({ controlPlane, ...options });
  }, 240_000);
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === 'fail';
  });
  afterAll(async () => {
    await stage?.stop();
    try {
      if (controlPlane !== undefined) await checkRights(controlPlane);
    } finally {
      await controlPlane?.stop({ keep: hasFailed });
    }
  }, 120_000);
  return () => {
    if (stage === undefined || controlPlane === undefined) throw new Error('The system is there only while tests run.');
    return Object.assign(stage, { controlPlane });
  };
}
