import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { buildFunctions } from '../../scripts/build.ts';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { type FunctionAccess, grantFunctionAccess } from './function-access.ts';
import { functionOf } from './function-of.ts';
import { type FunctionProcess, type FunctionProcessOptions, startFunction } from './function-process.ts';
import { type EventAnswer, sendEvent, sendUntilAnswered } from './send-event.ts';
import { writeServiceCloud } from './service-cloud-file.ts';

/** A control plane, as test/env starts it. */
export interface ControlPlaneAddress {
  readonly server: string;
  readonly caCertificate: string;
  readonly adminToken: string;
}

export interface AnotherProcess extends Partial<FunctionProcessOptions> {
  /** @default create */
  readonly name?: FunctionName;
}

interface TypedEvent {
  readonly type: string;
  readonly [attribute: string]: unknown;
}

/** The functions on a real control plane and a simulated OpenStack; each is built and started when it gets its first event. */
export interface FunctionStage {
  readonly controlPlane: ControlPlaneAddress;
  readonly cloud: SimulatedOpenStack;
  /** The management API as its administrator. */
  readonly api: KubernetesApi;
  readonly kubernetes: KubernetesClient;
  readonly access: FunctionAccess;
  /** Variables of each function's environment, beside those that say where the API server is. */
  readonly environment: Readonly<Record<string, string>>;
  /** Path of a bundle that takes itself for another release, and so makes a ClusterClass of its own. @default of create */
  bundleOf(version: string, name?: FunctionName): Promise<string>;
  /** The process that `send` uses for a function. */
  processOf(name: FunctionName): Promise<FunctionProcess>;
  /**
   * Sends an event as Magnum's conductor, again and again while it is answered with 429 or 503.
   * @param url of another process than that of the function which the event's type belongs to
   */
  send(event: TypedEvent, url?: string): Promise<EventAnswer>;
  /** Sends an event as Magnum's conductor, once. */
  sendOnce(event: TypedEvent, url?: string): Promise<EventAnswer>;
  /** Another process of a function; stopped with the stage. */
  startAnother(options?: AnotherProcess): Promise<FunctionProcess>;
  stop(): Promise<void>;
}

/**
 * @param variables further ones of each function's environment
 * @param startCloud starts the OpenStack, which is stopped with the stage
 */
export async function startFunctionStage(
  controlPlane: ControlPlaneAddress,
  variables: Readonly<Record<string, string>> = {},
  startCloud: () => Promise<SimulatedOpenStack> = startSimulatedOpenStack,
): Promise<FunctionStage> {
  const { server, caCertificate, adminToken } = controlPlane;
  const api = connectApi({ server, caCertificate, token: adminToken });
  const kubernetes = createKubernetesClient({ server, caCertificate, token: async () => adminToken });
  const directory = await mkdtemp(join(tmpdir(), 'magnum-functions-'));
  const [cloud, access] = await Promise.all([startCloud(), grantFunctionAccess(api)]);
  // Nova's own limit of ten is soon reached by a file of tests.
  cloud.state.quotas.serverGroups = 1_000;
  const environment = { ...(await writeServiceCloud(directory, cloud)), ...variables };
  const built = onceFor(async (name) => {
    await buildFunctions(directory, [name]);
    return join(directory, `${name}.cjs`);
  });
  const processes: FunctionProcess[] = [];
  const startAnother = async ({ name = 'create', ...options }: AnotherProcess = {}) => {
    const bundle = options.bundle ?? (await built(name));
    const token = access.tokens[name] ?? '';
    const started = await startFunction({ server, caCertificate, token, variables: environment, ...options, bundle });
    processes.push(started);
    return started;
  };
  const processOf = onceFor((name) => startAnother({ name }));
  const urlFor = async (event: TypedEvent) => (await processOf(functionOf(event))).url;
  return {
    controlPlane: { server, caCertificate, adminToken },
    cloud,
    api,
    kubernetes,
    access,
    environment,
    bundleOf: async (version, name = 'create') => bundleOf(await built(name), version),
    processOf,
    send: async (event, url) => sendUntilAnswered(url ?? (await urlFor(event)), event, access.callerToken),
    sendOnce: async (event, url) => sendEvent(url ?? (await urlFor(event)), event, access.callerToken),
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

/** Does something once for each function, when it is first asked for. */
function onceFor<T>(action: (name: FunctionName) => Promise<T>): (name: FunctionName) => Promise<T> {
  const results = new Map<FunctionName, Promise<T>>();
  return (name) => {
    const result = results.get(name) ?? action(name);
    results.set(name, result);
    return result;
  };
}

async function bundleOf(bundle: string, version: string): Promise<string> {
  const other = bundle.replace(/\.cjs$/, `-${version}.cjs`);
  const code = await readFile(bundle, 'utf8');
  await writeFile(other, code.replace(`version:"${packageJson.version}"`, `version:"${version}"`));
  return other;
}
