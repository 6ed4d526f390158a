import { afterAll, beforeAll } from 'vitest';
import { type AuditedControlPlane, auditLogSize, checkRights } from '../rights/check-rights.ts';

interface Stoppable {
  stop(): Promise<void>;
}

/**
 * Starts a stage on a control plane for a test file, and stops both after it; it is there once the tests run. The file fails where
 * a function was forbidden something.
 */
export function stageOn<Plane extends AuditedControlPlane & Stoppable, Stage extends Stoppable>(
  startPlane: () => Promise<Plane>,
  startStage: (controlPlane: Plane) => Promise<Stage>,
): () => Stage {
  let plane: Plane | undefined;
  let stage: Stage | undefined;
  let logged = 0;
  beforeAll(async () => {
    plane = await startPlane();
    logged = await auditLogSize(plane.auditLogPath);
    stage = await startStage(plane);
    // A real Keystone may have to be installed first.
  }, 600_000);
  afterAll(async () => {
    await stage?.stop();
    try {
      if (plane !== undefined) await checkRights(plane, logged);
    } finally {
      await plane?.stop();
    }
  });
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}
