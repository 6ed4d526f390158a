import { type Assets, resolveAssets } from './assets.ts';
import { ControlPlaneError } from './control-plane-error.ts';
import { type ApiAccess, readDefinitions, startApiServer, startManagers } from './control-plane-run.ts';
import { freePorts } from './free-ports.ts';
import { type ControlPlanePorts, etcdUrl } from './part-commands.ts';
import { createPartRunner, generousGcPercent, type PartRunner } from './part-runner.ts';
import { controlPlaneAssets, type PartName } from './parts.ts';
import { createRunFolder, type RunFolder, removeRunFolder } from './run-folder.ts';

const attempts = 3;

export interface ControlPlane {
  readonly directory: string;
  readonly kubeconfigPath: string;
  readonly logsDirectory: string;
  /** Audit log at Metadata level, one JSON object a line; a line comes up to half a second late. */
  readonly auditLogPath: string;
  /** `https://127.0.0.1:<port>` */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  /** Bearer token of a member of system:masters, valid in this run alone. */
  readonly adminToken: string;
  /** `none` where Cluster API does not run. */
  readonly capoCrds: 'strict' | 'compact' | 'none';
  /** The management etcd, plain HTTP; a workload API server may share it under a prefix of its own. */
  readonly etcdUrl: string;
  /** Process ids of the parts that run now, by name. */
  readonly pids: Readonly<Record<string, number>>;
  /** Ends a part as a power cut would; once it is gone, returns what starts it again as it was. */
  kill(part: PartName): Promise<() => void>;
  /** Ends every process and removes the folder, unless it was given, a part crashed, or it is to be kept. */
  stop(options?: StopOptions): Promise<void>;
}

export interface StopOptions {
  /** Keeps the folder with its logs. @default false */
  readonly keep?: boolean;
}

export interface StartOptions {
  /** Empty or absent; it is never removed. @default a new folder for temporary files */
  readonly directory?: string;
  readonly onProgress?: (line: string) => void;
  /** Whether Cluster API and kube-controller-manager run; without them it is etcd and kube-apiserver alone. @default true */
  readonly managers?: boolean;
  /** Arguments by which kube-apiserver tells who somebody is and what he may do, beside the administrator. @default RBAC alone */
  readonly apiServerAccess?: readonly string[];
  /** GOGC of each part, 100 where they shall be as in production. @default generousGcPercent */
  readonly gcPercent?: number;
  /** Asked before each attempt; another attempt follows when one of the ports is taken. @default free ones */
  readonly choosePorts?: () => Promise<ControlPlanePorts>;
}

/**
 * Starts a real management control plane of local processes, which end at the latest with this process.
 * @throws {AssetError} when a binary is missing and cannot be built.
 * @throws {ControlPlaneError} when a part does not start; it names the part and its log.
 */
export async function startControlPlane(options: StartOptions = {}): Promise<ControlPlane> {
  const { managers = true, onProgress = () => undefined } = options;
  const names = managers ? controlPlaneAssets : (['etcd', 'kube-apiserver'] as const);
  const assets = await resolveAssets({ names, onProgress });
  for (let attempt = 1; ; attempt += 1) {
    const folder = await createRunFolder(options.directory);
    try {
      return await startIn(folder, { ...options, assets, managers, onProgress });
    } catch (error) {
      if (!(error instanceof ControlPlaneError && error.portTaken) || attempt === attempts) {
        throw error;
      }
      onProgress('another process took a port meanwhile: starting again with others');
      await removeRunFolder(folder);
    }
  }
}

interface Settings extends StartOptions {
  readonly assets: Assets;
  readonly managers: boolean;
  readonly onProgress: (line: string) => void;
}

async function startIn(folder: RunFolder, settings: Settings): Promise<ControlPlane> {
  const { assets, managers, gcPercent = generousGcPercent, onProgress } = settings;
  const ports = await (settings.choosePorts ?? chooseFreePorts)();
  const parts = createPartRunner({ folder, assets, gcPercent, onProgress });
  const run = { folder, ports, parts, apiServerAccess: settings.apiServerAccess ?? ['--authorization-mode=RBAC'] };
  try {
    const reading = managers ? readDefinitions(assets) : undefined;
    const [access, definitions] = await Promise.all([startApiServer(run), reading]);
    if (definitions !== undefined) {
      onProgress(`definitions of Cluster API Provider OpenStack: ${definitions.capo.kind}, ${definitions.capo.source}`);
      await startManagers(run, access, definitions);
    }
    parts.settle();
    const facts: Facts = { ...access, etcdUrl: etcdUrl(ports), capoCrds: definitions?.capo.kind ?? 'none' };
    return controlPlane(run, facts, settings);
  } catch (error) {
    await parts.stop();
    throw error;
  }
}

/** Distinct ports that are free now. */
export async function chooseFreePorts(): Promise<ControlPlanePorts> {
  const [etcd = 0, etcdPeer = 0, apiServer = 0, core = 0, cabpk = 0, kcp = 0] = await freePorts(6);
  return { etcd, etcdPeer, apiServer, webhooks: { 'capi-core': core, cabpk, kcp } };
}

interface Started {
  readonly folder: RunFolder;
  readonly parts: PartRunner;
}

type Facts = ApiAccess & Pick<ControlPlane, 'capoCrds' | 'etcdUrl'>;

function controlPlane({ folder, parts }: Started, facts: Facts, settings: Settings): ControlPlane {
  let stopping: Promise<void> | undefined;
  const stop = async (keep: boolean) => {
    await parts.stop();
    if (parts.crashed || keep) {
      settings.onProgress(`the logs of the control plane are in ${folder.logs}`);
    } else if (settings.directory === undefined) {
      await removeRunFolder(folder);
    }
  };
  return {
    ...facts,
    directory: folder.directory,
    kubeconfigPath: folder.kubeconfig,
    logsDirectory: folder.logs,
    auditLogPath: folder.auditLog,
    adminToken: folder.adminToken,
    get pids() {
      return Object.fromEntries(parts.pids);
    },
    kill: (part) => parts.kill(part),
    stop: ({ keep = false } = {}) => {
      stopping ??= stop(keep);
      return stopping;
    },
  };
}
