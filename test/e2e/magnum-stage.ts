import { randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startOrUndo, type UndoStep } from '../../local/start-or-undo.ts';
import { startKeystoneCloud } from '../cloud/keystone/keystone-cloud.ts';
import { lastingPort } from '../cloud/workload/lasting-ports.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { type CloudProcesses, startCloudProcesses } from '../openstack/cloud-processes.ts';
import { type SystemStage, type SystemStageOptions, startSystemStage } from '../system/system-stage.ts';
import { FunctionGateway } from './function-gateway.ts';
import { killableFunctions } from './killable-functions.ts';
import { MagnumClient } from './magnum-client.ts';
import { writeMagnumConfiguration } from './magnum-configuration.ts';
import { type MagnumDatabase, migrateMagnumDatabase, startMagnumDatabase } from './magnum-database.ts';
import { type MagnumEnvironment, magnumEnvironment } from './magnum-environment.ts';
import { type MagnumIdentity, magnumIdentity } from './magnum-identity.ts';
import { type Killable, startConductor, startListener, startMagnumApi } from './magnum-services.ts';
import { type RabbitMq, startRabbitMq } from './rabbitmq.ts';

/** Seconds of a token's life: more than the longest test. */
const tokenSeconds = 24 * 3600;

export interface MagnumStageOptions {
  readonly onProgress?: (line: string) => void;
  /** Further options of the system without Magnum. */
  readonly system?: Pick<SystemStageOptions, 'onReport' | 'onEvent' | 'disturbance'>;
  /** Options of the section `capi_functions` of magnum.conf. @default the driver's own */
  readonly driverOptions?: Readonly<Record<string, string | number>>;
}

/** Real Magnum with the shim, and everything that it needs, down to simulated machines. */
export interface MagnumStage {
  /** Of the run: has `logs`, and `data` until it ends. */
  readonly folder: string;
  readonly environment: MagnumEnvironment;
  /** Everything but Magnum. */
  readonly system: SystemStage;
  readonly controlPlane: ControlPlane;
  readonly database: MagnumDatabase;
  readonly identity: MagnumIdentity;
  /** Magnum's API as the user demo. */
  readonly magnum: MagnumClient;
  /** Through which Magnum reaches the functions. */
  readonly gateway: FunctionGateway;
  readonly conductor: Killable;
  readonly listener: Killable;
  readonly rabbitMq: Killable;
  /** All functions and their gateway. */
  readonly functions: Killable;
  /** Ends every process and removes the files, unless the logs are to be kept. */
  stop(options?: { readonly keep?: boolean }): Promise<void>;
}

/**
 * Starts it on the loopback interface; it ends at the latest with this process.
 * @throws {AssetError} when something cannot be installed.
 * @throws {ControlPlaneError} when a part does not start, with the end of its log.
 */
export async function startMagnumStage(options: MagnumStageOptions = {}): Promise<MagnumStage> {
  const { onProgress = () => undefined } = options;
  const folder = await mkdtemp(join(tmpdir(), 'magnum-e2e-'));
  await Promise.all(['data', 'logs'].map((name) => mkdir(join(folder, name), { mode: 0o700 })));
  const keepLogs = () => onProgress(`the logs are in ${join(folder, 'logs')}`);
  try {
    const started = await startOrUndo((undo) => start({ ...options, onProgress }, folder, undo));
    return {
      ...started,
      async stop({ keep = false } = {}) {
        await started.stop();
        await rm(join(folder, 'data'), { recursive: true, force: true, maxRetries: 3 });
        if (keep) keepLogs();
        else await rm(folder, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  } catch (error) {
    keepLogs();
    throw error;
  }
}

type Settings = MagnumStageOptions & Required<Pick<MagnumStageOptions, 'onProgress'>>;

/** @param undo gets what ends each part that has started */
async function start(settings: Settings, folder: string, undo: UndoStep[]): Promise<Omit<MagnumStage, 'stop'>> {
  const { onProgress } = settings;
  const processes = startCloudProcesses(folder);
  undo.push(() => processes.stop());
  const listener = await prepareListener(folder);
  const starting = [
    startStores(settings, processes, folder),
    startBelow(settings, { listenerUrl: listener.url, undo }),
  ] as const;
  // When one fails, what the other has started must be ended too.
  await Promise.allSettled(starting);
  const [stores, below] = await Promise.all(starting);
  const { system } = below;
  const gateway = await FunctionGateway.start(system.functions.urls);
  undo.push(() => gateway.close());
  const identity = magnumIdentity(system.cloud);
  const tokenFile = join(folder, 'data', 'conductor-token');
  await writeFile(tokenFile, system.access.callerToken, { mode: 0o600 });
  const { environment, database, rabbitMq } = stores;
  const configuration = await writeMagnumConfiguration({
    environment,
    folder,
    transportUrl: rabbitMq.transportUrl,
    databaseUrl: database.url,
    login: identity.login,
    region: system.cloud.state.region,
    functions: { url: gateway.url, tokenFile },
    listener,
    driverOptions: settings.driverOptions ?? {},
  });
  onProgress('starting Magnum');
  await migrateMagnumDatabase(processes, environment, configuration);
  const magnum = { processes, environment, folder, configuration };
  const [apiUrl, listening] = await Promise.all([startMagnumApi(magnum), startListener(magnum, listener.port)]);
  await identity.catalogue(apiUrl);
  const { authUrl } = system.cloud;
  const service = new MagnumClient({ authUrl, login: identity.service, apiUrl });
  const conductor = await startConductor(magnum, () => service.requireConductor());
  return {
    folder,
    environment,
    ...below,
    database,
    identity,
    magnum: new MagnumClient({ authUrl, login: identity.demo, apiUrl }),
    gateway,
    conductor,
    listener: listening,
    rabbitMq,
    functions: killableFunctions(system.functions, gateway),
  };
}

interface PreparedListener {
  readonly port: number;
  /** Where the broker posts reports. */
  readonly url: string;
  readonly secretFile: string;
}

/** The broker has to know its address before it runs. */
async function prepareListener(folder: string): Promise<PreparedListener> {
  const port = await lastingPort();
  const secret = randomBytes(24).toString('hex');
  const secretFile = join(folder, 'data', 'listener-secret');
  await writeFile(secretFile, secret, { mode: 0o600 });
  return { port, secretFile, url: `http://127.0.0.1:${port}/reports/${secret}` };
}

interface Stores {
  readonly environment: MagnumEnvironment;
  readonly database: MagnumDatabase;
  readonly rabbitMq: RabbitMq;
}

/** What Magnum needs beside OpenStack. */
async function startStores({ onProgress }: Settings, processes: CloudProcesses, folder: string): Promise<Stores> {
  const data = join(folder, 'data');
  const environment = await magnumEnvironment({ data, onProgress });
  // One after the other: both may have to install packages.
  const database = await startMagnumDatabase({ processes, environment, folder, onProgress });
  const rabbitData = join(data, 'rabbitmq');
  await mkdir(rabbitData);
  const rabbitMq = await startRabbitMq({ processes, data: rabbitData, onProgress });
  onProgress('MariaDB and RabbitMQ are ready');
  return { environment, database, rabbitMq };
}

interface Below {
  readonly controlPlane: ControlPlane;
  readonly system: SystemStage;
}

interface BelowOptions {
  readonly listenerUrl: string;
  readonly undo: UndoStep[];
}

/** Everything that Magnum stands on. */
async function startBelow(settings: Settings, { listenerUrl, undo }: BelowOptions): Promise<Below> {
  const { onProgress } = settings;
  const controlPlane = await startControlPlane({ onProgress });
  undo.push(() => controlPlane.stop());
  onProgress('the management cluster is ready');
  const system = await startSystemStage({
    ...settings.system,
    controlPlane,
    listener: listenerUrl,
    startCloud: () => startKeystoneCloud({ tokenSeconds, onProgress }),
  });
  undo.push(() => system.stop());
  onProgress('the functions and the simulated cloud are ready');
  return { controlPlane, system };
}
