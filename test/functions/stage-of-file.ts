import { afterAll, beforeAll, inject } from 'vitest';
import { type FunctionStage, startFunctionStage } from './function-stage.ts';

/**
 * A stage for a test file, on the control plane of the run; it is there once the tests run.
 * @param variables further ones of each function's environment
 */
export function stageOfFile(variables: Readonly<Record<string, string>> = {}): () => FunctionStage {
  let stage: FunctionStage | undefined;
  beforeAll(async () => {
    const controlPlane = {
      server: inject('server'),
      caCertificate: inject('caCertificate'),
      adminToken: inject('adminToken'),
    };
    stage = await startFunctionStage(controlPlane, variables);
  });
  afterAll(() => stage?.stop());
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}
