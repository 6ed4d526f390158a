import { afterAll, beforeAll, inject } from 'vitest';
import { type CreateStage, startCreateStage } from '../functions/create-stage.ts';

/** Starts the create function for a test file, on the control plane of the run; gives it once the tests run. */
export function stageOfFile(): () => CreateStage {
  let stage: CreateStage | undefined;
  beforeAll(async () => {
    stage = await startCreateStage({
      server: inject('server'),
      caCertificate: inject('caCertificate'),
      adminToken: inject('adminToken'),
    });
  });
  afterAll(() => stage?.stop());
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}
