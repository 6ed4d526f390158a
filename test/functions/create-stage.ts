import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFunctions } from '../../scripts/build.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { type FunctionAccess, grantFunctionAccess } from './function-access.ts';
import { type FunctionProcess, type FunctionProcessOptions, startFunction } from './function-process.ts';
import { type EventAnswer, sendEvent } from './send-event.ts';

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
  readonly access: FunctionAccess;
  /** Path of the function's bundle. */
  readonly bundle: string;
  /** The process that `send` uses. */
  readonly function: FunctionProcess;
  /** Sends an event as Magnum's conductor. */
  send(event: object): Promise<EventAnswer>;
  /** Another process of the same function; stopped with the stage. */
  startAnother(options?: Partial<FunctionProcessOptions>): Promise<FunctionProcess>;
  stop(): Promise<void>;
}

export async function startCreateStage(controlPlane: ControlPlaneAddress): Promise<CreateStage> {
  const { server, caCertificate, adminToken } = controlPlane;
  const api = connectApi({ server, caCertificate, token: adminToken });
  const directory = await mkdtemp(join(tmpdir(), 'magnum-functions-'));
  const [cloud, access] = await Promise.all([
    startSimulatedOpenStack(),
    grantFunctionAccess(api),
    buildFunctions(directory),
  ]);
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
    access,
    bundle,
    function: main,
    send: (event) => sendEvent(main.url, event, access.callerToken),
    startAnother,
    async stop() {
      await Promise.all(processes.map((one) => one.stop()));
      await cloud.stop();
      api.close();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
