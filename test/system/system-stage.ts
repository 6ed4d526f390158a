import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Disturbance } from '../../local/broker/disturbance.ts';
import type { Report } from '../../local/report.ts';
import { type LocalSystem, startLocalSystem } from '../../local/start-local-system.ts';
import { startOrUndo, type UndoStep } from '../../local/start-or-undo.ts';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { createLogger } from '../../shared/host/logger.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { type SimulatedCapo, startSimulatedCapo } from '../cloud/capo/simulated-capo.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import type { ControlPlane } from '../env/control-plane.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { type FunctionAccess, grantFunctionAccess } from '../functions/function-access.ts';
import { functionOf } from '../functions/function-of.ts';
import { acceptedStackId, type EventAnswer, sendUntilAnswered } from '../functions/send-event.ts';
import { writeServiceCloud } from '../functions/service-cloud-file.ts';
import { FunctionProcesses } from './function-processes.ts';
import { ReportLog } from './report-log.ts';
import { writeSourceKubeconfig } from './source-kubeconfig.ts';

export interface SystemStageOptions {
  readonly controlPlane: ControlPlane;
  /** `https://host:port` by which the functions reach the API server. @default its own */
  readonly server?: string;
  /** Starts the OpenStack: `startKeystoneCloud` for one with a real Keystone. @default a simulated one */
  readonly startCloud?: () => Promise<SimulatedOpenStack>;
  /** Variables of the functions' environment. @default none */
  readonly variables?: Readonly<Record<string, string>>;
  readonly disturbance?: Disturbance;
  /** URL that takes reports in Magnum's stead. @default nobody, but `onReport` */
  readonly listener?: string;
  /** YAML file of the Knative objects. @default knative/base */
  readonly manifests?: string;
  /** Told each event that comes into the broker. */
  readonly onEvent?: (event: CarriedEvent) => void;
  readonly onProgress?: (line: string) => void;
  /** Of what broker and sources say to standard error. @default error */
  readonly logLevel?: 'error' | 'silent';
  /** Told each report that comes to the broker. */
  readonly onReport?: (report: Report) => void;
}

/**
 * Everything but Magnum: the functions as processes of their own, a broker and sources, all by the manifests of knative/ and with
 * the rights of their own accounts, a simulated OpenStack with its machines, on a real control plane.
 */
export interface SystemStage {
  readonly cloud: SimulatedOpenStack;
  /** CAPO and the machines. */
  readonly capo: SimulatedCapo;
  /** The management API as its administrator. */
  readonly api: KubernetesApi;
  readonly kubernetes: KubernetesClient;
  readonly access: FunctionAccess;
  readonly local: LocalSystem;
  readonly functions: FunctionProcesses;
  /** Every report that came to the broker. */
  readonly reports: ReportLog;
  /** Sends a request as Magnum's conductor, again and again while it is answered with 429 or 503. */
  send(name: FunctionName, event: object): Promise<EventAnswer>;
  /** Sends a request to the function that takes it, until it is answered; gives the stack id. @throws Error where it is refused */
  operate(event: { readonly type: string }): Promise<string>;
  /** Sends an event that creates a cluster, and gives its stack id. */
  create(event: object): Promise<string>;
  stop(): Promise<void>;
}

export function startSystemStage(options: SystemStageOptions): Promise<SystemStage> {
  return startOrUndo((undo) => start(options, undo));
}

/** @param undo gets what ends each part that has started */
async function start(options: SystemStageOptions, undo: UndoStep[]): Promise<Omit<SystemStage, 'stop'>> {
  const { controlPlane, onProgress } = options;
  const { server, caCertificate, adminToken } = controlPlane;
  const api = connectApi({ server, caCertificate, token: adminToken });
  undo.push(() => api.close());
  const kubernetes = createKubernetesClient({ server, caCertificate, token: async () => adminToken });
  undo.push(() => kubernetes.close());
  const cloud = await (options.startCloud ?? startSimulatedOpenStack)();
  undo.push(() => cloud.stop());
  // Nova's own limit of ten is soon reached by a file of tests.
  cloud.state.quotas.serverGroups = 1_000;
  const directory = await mkdtemp(join(tmpdir(), 'magnum-system-'));
  undo.push(() => rm(directory, { recursive: true, force: true }));
  const serviceCloud = await writeServiceCloud(directory, cloud);
  const access = await grantFunctionAccess(api);
  const capo = await startSimulatedCapo({ controlPlane, cloud, ...(onProgress && { onProgress }) });
  undo.push(() => capo.stop());

  const reports = new ReportLog();
  const startFunctions = async (sink: string) => {
    const variables = { ...serviceCloud, ...options.variables, K_SINK: sink };
    const { tokens } = access;
    const started = await FunctionProcesses.start({
      server: options.server ?? server,
      caCertificate,
      tokens,
      variables,
    });
    undo.push(() => started.stop());
    return started;
  };
  const { promise: functionsStarted, resolve } = Promise.withResolvers<FunctionProcesses>();
  const local = await startLocalSystem({
    kubeconfig: { path: await writeSourceKubeconfig(directory, { server, caCertificate, token: access.sourceToken }) },
    port: 0,
    async functions(sink) {
      const started = await startFunctions(sink);
      resolve(started);
      return started.urls;
    },
    disturbance: options.disturbance ?? {},
    listener: options.listener,
    ...(options.manifests !== undefined && { manifests: options.manifests }),
    ...(options.onEvent && { onEvent: options.onEvent }),
    onReport(report) {
      reports.add(report);
      options.onReport?.(report);
    },
    logger: createLogger({ level: options.logLevel ?? 'error', destination: process.stderr }),
  });
  undo.push(() => local.stop());
  const functions = await functionsStarted;
  const send = (name: FunctionName, event: object) =>
    sendUntilAnswered(functions.get(name).url, event, access.callerToken);
  return {
    cloud,
    capo,
    api,
    kubernetes,
    access,
    local,
    functions,
    reports,
    send,
    operate: async (event) => acceptedStackId(await send(functionOf(event), event)),
    create: async (event) => acceptedStackId(await send('create', event)),
  };
}
