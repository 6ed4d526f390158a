import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { buildBundles } from '../../scripts/build.ts';
import { bundleEntries } from '../../scripts/bundles.ts';
import { type KeptLetter, letterSelector, readLetter } from '../../shared/dead-letters/dead-letter.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { type FunctionAccess, grantFunctionAccess } from '../functions/function-access.ts';
import { type FunctionProcess, type FunctionProcessOptions, startFunction } from '../functions/function-process.ts';
import { auditLogSize, checkRights } from '../rights/check-rights.ts';

/** The dead-letters function on a real control plane, under its own account. */
export interface DeadLettersStage {
  /** The management API as its administrator. */
  readonly api: KubernetesApi;
  readonly kubernetes: KubernetesClient;
  readonly access: FunctionAccess;
  /** Another process of the function; stopped with the stage. */
  start(options?: Partial<FunctionProcessOptions>): Promise<FunctionProcess>;
  /** What is kept of letters whose event has this source. */
  letters(source: string): Promise<readonly KeptLetter[]>;
}

/**
 * Starts one for a test file, on a control plane of its own, since letters of others count too; gives it once the tests run. Ends with an error
 * where the function was forbidden something.
 */
export function deadLettersStageOfFile(): () => DeadLettersStage {
  const undo: (() => Promise<void> | void)[] = [];
  let stage: DeadLettersStage | undefined;
  let logged = 0;
  let controlPlane: ControlPlane | undefined;
  beforeAll(async () => {
    controlPlane = await startControlPlane({ managers: false });
    logged = await auditLogSize(controlPlane.auditLogPath);
    stage = await startStage(controlPlane, undo);
  });
  afterAll(async () => {
    for (const step of undo.toReversed()) await step();
    try {
      if (controlPlane !== undefined) await checkRights(controlPlane, logged);
    } finally {
      await controlPlane?.stop();
    }
  });
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}

interface Address {
  readonly server: string;
  readonly caCertificate: string;
  readonly adminToken: string;
}

async function startStage(
  { server, caCertificate, adminToken }: Address,
  undo: (() => Promise<void> | void)[],
): Promise<DeadLettersStage> {
  const api = connectApi({ server, caCertificate, token: adminToken });
  const kubernetes = createKubernetesClient({ server, caCertificate, token: async () => adminToken });
  const directory = await mkdtemp(join(tmpdir(), 'dead-letters-'));
  undo.push(
    () => api.close(),
    () => kubernetes.close(),
    () => rm(directory, { recursive: true }),
  );
  const access = await grantFunctionAccess(api);
  await buildBundles(
    directory,
    bundleEntries.filter(({ name, startedBy }) => name === 'dead-letters' || startedBy === 'beside'),
  );
  const bundle = join(directory, 'dead-letters.cjs');
  const token = access.tokens['dead-letters'] ?? '';
  return {
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
}
