import { afterAll, beforeAll } from 'vitest';
import { type UndoStep, undoAll } from '../../local/start-or-undo.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { checkRights } from '../rights/check-rights.ts';
import { type SystemStage, type SystemStageOptions, startSystemStage } from '../system/system-stage.ts';
import { adaptManifests, type SpecChanges } from './adapted-manifests.ts';
import { type NetworkLine, startNetworkLine } from './network-line.ts';

/** Never, in a year that tests will see. */
const noTicks: SpecChanges = { 'PingSource/magnum-resync': { schedule: '0 0 29 2 *' } };

export interface SystemWithoutTicksOptions extends Omit<SystemStageOptions, 'controlPlane' | 'manifests' | 'server'> {
  /** Fields of the manifests' specs that are to be other ones. @default none */
  readonly specs?: SpecChanges;
}

export interface SystemWithoutTicks extends SystemStage {
  readonly controlPlane: ControlPlane;
  /** Between the functions and the API server. */
  readonly line: NetworkLine;
}

/** Starts a control plane and the whole system on it for the tests around; what a tick makes good, only `ping` does. */
export function systemWithoutTicks({ specs, ...options }: SystemWithoutTicksOptions = {}): () => SystemWithoutTicks {
  const undo: UndoStep[] = [];
  let system: SystemWithoutTicks | undefined;
  beforeAll(async () => {
    const controlPlane = await startControlPlane();
    undo.push(() => controlPlane.stop());
    const line = await startNetworkLine(controlPlane.server);
    undo.push(() => line.close());
    const manifests = await adaptManifests({ ...noTicks, ...specs });
    undo.push(() => manifests.remove());
    const stage = await startSystemStage({ ...options, controlPlane, manifests: manifests.path, server: line.server });
    undo.push(() => stage.stop());
    system = Object.assign(stage, { controlPlane, line });
  });
  afterAll(async () => {
    try {
      if (system !== undefined) await checkRights(system.controlPlane);
    } finally {
      await undoAll(undo);
    }
  });
  return () => {
    if (system === undefined) throw new Error('The system is there only while tests run.');
    return system;
  };
}
