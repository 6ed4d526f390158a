import { type AddressInfo, isIPv6 } from 'node:net';
import type { ServiceCloud } from '../shared/cloud/service-session.ts';
import type { CarriedEvent } from '../shared/event/carried-event.ts';
import { listenEarly } from '../shared/host/early-server.ts';
import { createLogger, type Logger } from '../shared/host/logger.ts';
import { createKubernetesClient } from '../shared/kubernetes/client.ts';
import { connectionOf, type KubeConfigOptions, loadKubeConfig } from '../shared/kubernetes/kubeconfig-connection.ts';
import { ingressPath } from './broker/broker-endpoints.ts';
import { DeadLetters } from './broker/dead-letters.ts';
import type { Disturbance } from './broker/disturbance.ts';
import { LocalBroker } from './broker/local-broker.ts';
import { type FunctionTimes, localFunctions } from './local-functions.ts';
import { type Authentication, startLocalHost } from './local-host.ts';
import { type LocalSources, startLocalSources } from './local-sources.ts';
import { type Destination, type KnativeObjects, knativeObjects } from './manifests/knative-objects.ts';
import { readManifests } from './manifests/read-manifests.ts';
import { type Report, reportOf } from './report.ts';
import { startOrUndo, type UndoStep } from './start-or-undo.ts';
import { addressOf, type SubscriberAddresses } from './subscribers.ts';

/** URLs of functions by name, e.g. `status`. */
export type FunctionUrls = Readonly<Record<string, string>>;

export interface LocalSystemOptions {
  /** @default where kubectl looks */
  readonly kubeconfig?: KubeConfigOptions;
  /** YAML file, or folder with a kustomization, of the Knative objects. @default knative/base */
  readonly manifests?: string;
  /** 0 takes a free one. @default 8080 */
  readonly port?: number;
  /** @default 127.0.0.1 */
  readonly address?: string;
  /** Functions that run elsewhere; one that needs the broker's URL as its K_SINK can be started by it. @default none */
  readonly functions?: FunctionUrls | ((sink: string) => Promise<FunctionUrls>);
  /** Of the functions that run here. @default tokens */
  readonly authentication?: Authentication;
  readonly times?: FunctionTimes;
  /** The functions' own credential in the cloud. @default none */
  readonly serviceCloud?: ServiceCloud | undefined;
  /** URL that takes reports in Magnum's stead. @default nobody, but `onReport` */
  readonly listener?: string | undefined;
  /** Told each event that comes into the broker. */
  readonly onEvent?: (event: CarriedEvent) => void;
  /** Told each report that comes into the broker. */
  readonly onReport?: (report: Report) => void;
  /** What the broker does to deliveries beyond the usual. @default nothing */
  readonly disturbance?: Disturbance;
  /** @default to standard output */
  readonly logger?: Logger;
}

/** Functions, broker and sources in one process. */
export interface LocalSystem {
  /** Where the functions are: `<url>/<name>`. */
  readonly url: string;
  /** Addresses of all functions, here or elsewhere. */
  readonly functions: FunctionUrls;
  readonly broker: Pick<LocalBroker, 'accept' | 'idle'> & { readonly url: string };
  /** The watches of the management cluster. */
  readonly source: Pick<LocalSources, 'pause' | 'resume'>;
  /** Sends the events of all PingSources now. */
  ping(): Promise<void>;
  deadLetters(): readonly CarriedEvent[];
  stop(): Promise<void>;
}

/**
 * Starts the whole system as its Knative manifests say, against the management cluster of a kubeconfig.
 * @returns once every change from now on becomes an event
 * @throws Error when the kubeconfig, the manifests, the port or the management cluster cannot be used
 */
export function startLocalSystem(options: LocalSystemOptions = {}): Promise<LocalSystem> {
  return startOrUndo((undo) => start(options, undo));
}

/** @param undo gets what ends each part that has started */
async function start(options: LocalSystemOptions, undo: UndoStep[]): Promise<Omit<LocalSystem, 'stop'>> {
  const { logger = createLogger() } = options;
  const objects = knativeObjects(await readManifests(options.manifests));
  const config = loadKubeConfig(options.kubeconfig);
  const kubernetes = createKubernetesClient(await connectionOf(config));
  undo.push(() => kubernetes.close());
  const { early, url } = await listen(options, undo);

  const sink = `${url}${ingressPath}`;
  const elsewhere = await functionsElsewhere(options, sink);
  const all = localFunctions({ kubernetes, sink: { url: sink }, serviceCloud: options.serviceCloud, ...options.times });
  const functions = { ...Object.fromEntries(all.map(({ name }) => [name, `${url}/${name}`])), ...elsewhere };
  const addresses = { functions, broker: sink, listener: options.listener };

  const deadLetters = new DeadLetters();
  const broker = createBroker(options, { objects, addresses, deadLetters, logger });
  const accept = (event: CarriedEvent) => broker.accept(event);
  const host = await startLocalHost({
    early,
    functions: all.filter(({ name }) => !Object.hasOwn(elsewhere, name)),
    authentication: options.authentication ?? 'tokens',
    ...{ kubernetes, logger, accept, deadLetters },
  });
  undo.push(() => host.close());
  undo.push(() => broker.stop());

  const resolve = (destination: Destination) => addressOf(destination, addresses);
  const sources = await startLocalSources({ objects, config, resolve, logger });
  undo.push(() => sources.stop());
  return {
    url,
    functions,
    broker: { url: sink, accept, idle: () => broker.idle() },
    source: { pause: () => sources.pause(), resume: () => sources.resume() },
    ping: () => sources.ping(),
    deadLetters: () => deadLetters.events,
  };
}

async function functionsElsewhere({ functions = {} }: LocalSystemOptions, sink: string): Promise<FunctionUrls> {
  return typeof functions === 'function' ? await functions(sink) : functions;
}

async function listen({ port = 8080, address = '127.0.0.1' }: LocalSystemOptions, undo: UndoStep[]) {
  const early = listenEarly({ port, address });
  await early.listening();
  undo.push(() => early.server.close().closeAllConnections());
  const own = new URL('http://localhost');
  own.hostname = reachable(address);
  own.port = String((early.server.address() as AddressInfo).port);
  return { early, url: own.origin };
}

/** Where this process reaches an address on which it listens. */
function reachable(address: string): string {
  if (address === '0.0.0.0' || address === '::') return '127.0.0.1';
  return isIPv6(address) ? `[${address}]` : address;
}

interface BrokerParts {
  readonly objects: KnativeObjects;
  readonly addresses: SubscriberAddresses;
  readonly deadLetters: DeadLetters;
  readonly logger: Logger;
}

function createBroker(options: LocalSystemOptions, { objects, addresses, ...parts }: BrokerParts): LocalBroker {
  const [broker, ...others] = objects.brokers;
  if (broker === undefined || others.length > 0) {
    throw new Error(`The manifests have ${objects.brokers.length} Brokers, and the local system carries out one.`);
  }
  return new LocalBroker({
    ...parts,
    broker,
    triggers: objects.triggers,
    resolve: (destination) => addressOf(destination, addresses),
    onEvent: (event) => announce(options, event, parts.logger),
    disturbance: options.disturbance,
  });
}

function announce({ onEvent, onReport }: LocalSystemOptions, event: CarriedEvent, logger: Logger): void {
  onEvent?.(event);
  if (onReport === undefined) return;
  try {
    const report = reportOf(event);
    if (report !== undefined) onReport(report);
  } catch (error) {
    logger.error({ err: error, event_id: event.attributes['id'] }, 'a report is not as the contract says');
  }
}
