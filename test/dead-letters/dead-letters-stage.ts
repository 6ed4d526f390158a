import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOrUndo } from '../../local/start-or-undo.ts';
import { buildBundles } from '../../scripts/build.ts';
import { bundleEntries } from '../../scripts/bundles.ts';
import { type KeptLetter, letterSelector, readLetter } from '../../shared/dead-letters/dead-letter.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { startControlPlane } from '../env/control-plane.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { type FunctionAccess, grantFunctionAccess } from '../functions/function-access.ts';
import { type FunctionProcess, type FunctionProcessOptions, startFunction } from '../functions/function-process.ts';
import type { ControlPlaneAddress } from '../functions/function-stage.ts';
import { stageOn } from '../functions/stage-on.ts';

/** The dead-letters function on a real control plane, under its own account. */
export interface DeadLettersStage {
  readonly controlPlane: ControlPlaneAddress;
  /** The management API as its administrator. */
  readonly api: KubernetesApi;
  readonly kubernetes: KubernetesClient;
  readonly access: FunctionAccess;
  /** Another process of the function; stopped with the stage. */
  start(options?: Partial<FunctionProcessOptions>): Promise<FunctionProcess>;
  /** What is kept of letters whose event has this source. */
  letters(source: string): Promise<readonly KeptLetter[]>;
  stop(): Promise<void>;
}

/** On a control plane of the file's own, since letters of others count too; else as `stageOn`. */
export function deadLettersStageOfFile(): () => DeadLettersStage {
  return stageOn(() => startControlPlane({ managers: false }), startStage);
}

function startStage({ server, caCertificate, adminToken }: ControlPlaneAddress): Promise<DeadLettersStage> {
  return startOrUndo(async (undo) => {
    const api = connectApi({ server, caCertificate, token: adminToken });
    undo.push(() => api.close());
    const kubernetes = createKubernetesClient({ server, caCertificate, token: async () => adminToken });
    undo.push(() => kubernetes.close());
    const directory = await mkdtemp(join(tmpdir(), 'dead-letters-'));
    undo.push(() => rm(directory, { recursive: true }));
    const access = await grantFunctionAccess(api);
    await buildBundles(
      directory,
      bundleEntries.filter(({ name }) => name === 'dead-letters'),
    );
    const bundle = join(directory, 'dead-letters.cjs');
    const token = access.tokens['dead-letters'] ?? '';
    return {
      controlPlane: { server, caCertificate, adminToken },
      api,
      kubernetes,
      access,
      async start(options = {}) {
        const started = await startFunction({ server, caCertificate, token, bundle, ...options });
        undo.push(() => started.stop());
        return started;
      },
      async letters(source) {
        const all = await kubernetes.list(resources.configMap, { namespace, labelSelector: letterSelector });
        return all.map(readLetter).filter(({ event }) => event.source === source);
      },
    };
  });
}
