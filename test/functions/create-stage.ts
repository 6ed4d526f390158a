import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { buildFunctions } from '../../scripts/build.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { type FunctionAccess, grantFunctionAccess } from './function-access.ts';
import { type FunctionProcess, type FunctionProcessOptions, startFunction } from './function-process.ts';
import { type EventAnswer, sendEvent, sendUntilAnswered } from './send-event.ts';

/** A control plane, as test/env starts it. */
export interface ControlPlaneAddress {
  readonly server: string;
  readonly caCertificate: string;
  readonly adminToken: string;
}

/** The create function on a real control plane and a simulated OpenStack. */
export interface CreateStage {
  readonly cloud: SimulatedOpenStack;
  /** The management API as its administrator. */
  readonly api: KubernetesApi;
  readonly kubernetes: KubernetesClient;
  readonly access: FunctionAccess;
  /** Path of a bundle of the function that takes itself for another release, and so makes a ClusterClass of its own. */
  bundleOf(version: string): Promise<string>;
  /** The process that `send` uses. */
  readonly function: FunctionProcess;
  /** Sends an event as Magnum's conductor, again and again while it is answered with 429 or 503. */
  send(event: object, url?: string): Promise<EventAnswer>;
  /** Sends an event as Magnum's conductor, once. */
  sendOnce(event: object, url?: string): Promise<EventAnswer>;
  /** Another process of the same function; stopped with the stage. */
  startAnother(options?: Partial<FunctionProcessOptions>): Promise<FunctionProcess>;
  stop(): Promise<void>;
}

export async function startCreateStage(controlPlane: ControlPlaneAddress): Promise<CreateStage> {
  const { server, caCertificate, adminToken } = controlPlane;
  const api = connectApi({ server, caCertificate, token: adminToken });
  const kubernetes = createKubernetesClient({ server, caCertificate, token: async () => adminToken });
  const directory = await mkdtemp(join(tmpdir(), 'magnum-functions-'));
  const [cloud, access] = await Promise.all([
    startSimulatedOpenStack(),
    grantFunctionAccess(api),
    buildFunctions(directory),
  ]);
  // Nova's own limit of ten is soon reached by a file of tests.
  cloud.state.quotas.serverGroups = 1_000;
  const bundle = join(directory, 'create.cjs');
  const processes: FunctionProcess[] = [];
  const startAnother = async (options: Partial<FunctionProcessOptions> = {}) => {
    const started = await startFunction({ bundle, server, caCertificate, token: access.functionToken, ...options });
    processes.push(started);
    return started;
  };
  const main = await startAnother();
  return {
    cloud,
    api,
    kubernetes,
    access,
    bundleOf: (version) => bundleOf(bundle, version),
    function: main,
    send: (event, url = main.url) => sendUntilAnswered(url, event, access.callerToken),
    sendOnce: (event, url = main.url) => sendEvent(url, event, access.callerToken),
    startAnother,
    async stop() {
      await Promise.all(processes.map((one) => one.stop()));
      await cloud.stop();
      api.close();
      kubernetes.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function bundleOf(bundle: string, version: string): Promise<string> {
  const other = bundle.replace(/\.cjs$/, `-${version}.cjs`);
  const code = await readFile(bundle, 'utf8');
  await writeFile(other, code.replace(`version:"${packageJson.version}"`, `version:"${version}"`));
  return other;
}
