import type * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import type { ServiceCloud } from '../cloud/service-session.ts';
import { rejectedReply } from '../contract/operation-replies.ts';
import { createKubernetesClient, type KubernetesClient } from '../kubernetes/client.ts';
import { resources } from '../kubernetes/resources.ts';
import { serviceAccountConnection } from '../kubernetes/service-account-connection.ts';
import { kubernetesObserver } from '../telemetry/observe-calls.ts';
import { createTelemetry, type Telemetry } from '../telemetry/telemetry.ts';
import type { EarlyServer } from './early-server.ts';
import type { EventFunction } from './event-function.ts';
import type { SinkSettings } from './event-sink.ts';
import { functionEnvironment, serviceCloud, sinkSettings, telemetrySettings } from './function-environment.ts';
import { createLogger, type Logger } from './logger.ts';
import { runFunction } from './run-function.ts';
import { createTokenAuthenticator } from './token-authenticator.ts';

export interface FunctionSettings {
  readonly kubernetes: KubernetesClient;
  readonly leaseSeconds: number | undefined;
  /** Where events go that answer no other; undefined where nobody takes them. */
  readonly sink: SinkSettings | undefined;
  /** The functions' own credential; undefined where there is none. */
  readonly serviceCloud: ServiceCloud | undefined;
  readonly statusWindowMs: number | undefined;
  readonly healthWindowMs: number | undefined;
  readonly healthProbeTimeoutMs: number | undefined;
}

/** The process that a function runs in. */
export interface FunctionProcess {
  readonly variables: NodeJS.ProcessEnv;
  readonly early: EarlyServer;
}

/** Runs one function as the process's only job, as a pod whose environment is given. Ends the process where that is wrong. */
export async function serveFunction(
  { variables, early }: FunctionProcess,
  create: (settings: FunctionSettings) => EventFunction,
): Promise<void> {
  const parsed = functionEnvironment.safeParse(variables);
  if (!parsed.success) return failAtStart(early, parsed.error);
  const { data } = parsed;
  const kubernetes = createKubernetesClient(
    serviceAccountConnection({
      host: data.KUBERNETES_SERVICE_HOST,
      port: data.KUBERNETES_SERVICE_PORT,
      ...(data.SERVICE_ACCOUNT_DIRECTORY === undefined ? {} : { directory: data.SERVICE_ACCOUNT_DIRECTORY }),
    }),
    { onRequest: kubernetesObserver('kubernetes') },
  );
  const settings: FunctionSettings = {
    kubernetes,
    leaseSeconds: data.LEASE_SECONDS,
    sink: sinkSettings(data),
    serviceCloud: serviceCloud(data),
    statusWindowMs: data.STATUS_WINDOW_MS,
    healthWindowMs: data.HEALTH_WINDOW_MS,
    healthProbeTimeoutMs: data.HEALTH_PROBE_TIMEOUT_MS,
  };
  const target = create(settings);
  const logger = createLogger({ level: data.LOG_LEVEL });
  await runFunction({
    routes: { '/': target },
    early,
    port: data.PORT,
    logger,
    telemetry: telemetryOf(target, { data, logger }),
    authenticator: createTokenAuthenticator({
      createTokenReview: (review) => kubernetes.create(resources.tokenReview, review, { repeatable: true }),
      createSubjectAccessReview: (review) =>
        kubernetes.create(resources.subjectAccessReview, review, { repeatable: true }),
      brokers:
        data.BROKER_AUDIENCE === undefined || data.BROKER_AUTH === 'network'
          ? 'network'
          : { audience: data.BROKER_AUDIENCE },
      now: () => new Date(),
    }),
    rejectedReply: (_event, error) => rejectedReply(error),
  });
}

interface TelemetrySource {
  readonly data: z.output<typeof functionEnvironment>;
  readonly logger: Logger;
}

function telemetryOf({ name }: EventFunction, { data, logger }: TelemetrySource): Telemetry {
  const { version } = packageJson;
  const telemetry = createTelemetry({
    settings: { ...telemetrySettings(data), functionName: name, version },
    onFault: (fault) => logger.warn({ reason: fault }, 'telemetry is lost'),
  });
  const { node } = process.versions;
  telemetry.metrics.set('build', { function: name, version, node, revision: data.K_REVISION ?? '' }, 1);
  return telemetry;
}

function failAtStart({ server }: EarlyServer, error: z.ZodError): void {
  const variables = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  createLogger().fatal({ variables }, 'the environment of the function is not complete');
  process.exitCode = 2;
  server.close().closeAllConnections();
}
