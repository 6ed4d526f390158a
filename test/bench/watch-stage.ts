import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dump } from 'js-yaml';
import { readManifests } from '../../local/manifests/read-manifests.ts';
import { type LocalSystem, startLocalSystem } from '../../local/start-local-system.ts';
import { startOrUndo, type UndoStep } from '../../local/start-or-undo.ts';
import { createLogger } from '../../shared/host/logger.ts';
import { collectionPath } from '../../shared/kubernetes/object-path.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';
import { createDefinitions } from '../env/api-server-setup.ts';
import { resolveAssets } from '../env/assets.ts';
import { readCapoDefinitions } from '../env/capo-crds.ts';
import { readClusterApiManifests } from '../env/cluster-api-manifests.ts';
import type { ControlPlane } from '../env/control-plane.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';
import { grantFunctionAccess } from '../functions/function-access.ts';
import { FunctionProcesses } from '../system/function-processes.ts';
import { ReportLog } from '../system/report-log.ts';

/** Kinds of Cluster API and its OpenStack provider that the functions read. */
const kinds: readonly ResourceType[] = [
  resources.cluster,
  resources.clusterClass,
  resources.kubeadmControlPlane,
  resources.machineDeployment,
  resources.machine,
  resources.clusterResourceSet,
  resources.clusterResourceSetBinding,
  resources.openStackCluster,
  resources.openStackMachine,
  resources.openStackServer,
];

/**
 * The functions as processes with their own rights, and a broker and sources by the manifests of knative/. Nobody but the
 * bench writes objects: the API server has the kinds of Cluster API and its OpenStack provider, and none of their managers.
 */
export interface WatchStage {
  readonly controlPlane: ControlPlane;
  /** The management API as its administrator. */
  readonly api: KubernetesApi;
  /** Its watches are paused at first. */
  readonly local: LocalSystem;
  readonly functions: FunctionProcesses;
  /** Every report that came to the broker. */
  readonly reports: ReportLog;
  stop(): Promise<void>;
}

export function startWatchStage(controlPlane: ControlPlane): Promise<WatchStage> {
  return startOrUndo((undo) => start(controlPlane, undo));
}

/** @param undo gets what ends each part that has started */
async function start(controlPlane: ControlPlane, undo: UndoStep[]): Promise<Omit<WatchStage, 'stop'>> {
  const { server, caCertificate, adminToken, kubeconfigPath } = controlPlane;
  const api = connectApi({ server, caCertificate, token: adminToken });
  undo.push(() => api.close());
  await registerKinds(api);
  const { tokens } = await grantFunctionAccess(api);
  const reports = new ReportLog();
  const { promise: functionsStarted, resolve } = Promise.withResolvers<FunctionProcesses>();
  const manifests = await manifestsWithoutPings(undo);
  const local = await startLocalSystem({
    manifests,
    kubeconfig: { path: kubeconfigPath },
    port: 0,
    async functions(sink) {
      const started = await FunctionProcesses.start({ server, caCertificate, tokens, variables: { K_SINK: sink } });
      undo.push(() => started.stop());
      resolve(started);
      return started.urls;
    },
    onReport: (report) => reports.add(report),
    logger: createLogger({ level: 'error', destination: process.stderr }),
  });
  undo.push(() => local.stop());
  local.source.pause();
  return { controlPlane, api, local, functions: await functionsStarted, reports };
}

/** A resync by the clock, in the middle of a measurement, would be counted with it. */
async function manifestsWithoutPings(undo: UndoStep[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'magnum-bench-'));
  undo.push(() => rm(directory, { recursive: true }));
  const path = join(directory, 'manifests.yaml');
  const kept = (await readManifests()).filter(({ kind }) => kind !== 'PingSource');
  await writeFile(path, kept.map((manifest) => dump(manifest)).join('---\n'));
  return path;
}

/** Of Cluster API's kinds only what is stored: there is no manager that converts them. */
async function registerKinds(api: KubernetesApi): Promise<void> {
  const assets = await resolveAssets({ names: ['cluster-api'] });
  const [{ definitions: clusterApi }, { definitions: capo }] = await Promise.all([
    readClusterApiManifests(assets.get('cluster-api') ?? ''),
    readCapoDefinitions(),
  ]);
  await createDefinitions(api, [...clusterApi, ...capo], AbortSignal.timeout(60_000));
  await Promise.all(kinds.map((type) => waitFor(() => list(api, type), { what: `${type.plural} to be listed` })));
}

/** The API server refuses the first list of a new kind while it fills its cache, and a client tries again. */
function list(api: KubernetesApi, type: ResourceType): Promise<unknown> {
  return api.call('GET', collectionPath(type, managementNamespace));
}
