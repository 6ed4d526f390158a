import * as z from 'zod';
import { rejectedReply } from '../contract/operation-replies.ts';
import { createKubernetesClient, type KubernetesClient } from '../kubernetes/client.ts';
import { resources } from '../kubernetes/resources.ts';
import { serviceAccountConnection } from '../kubernetes/service-account-connection.ts';
import type { EarlyServer } from './early-server.ts';
import type { EventFunction } from './event-function.ts';
import { createLogger } from './logger.ts';
import { runFunction } from './run-function.ts';
import { createTokenAuthenticator } from './token-authenticator.ts';

const port = z
  .string('is missing')
  .regex(/^\d{1,5}$/, 'is no port')
  .transform(Number)
  .refine((value) => value <= 65_535, 'is no port');

const environment = z
  .object({
    /** 0 takes a free one, which the first line of the log tells. */
    PORT: port.prefault('8080'),
    LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
    KUBERNETES_SERVICE_HOST: z.string('is missing').min(1, 'is missing'),
    KUBERNETES_SERVICE_PORT: port,
    /** Folder with the pod's `token` and `ca.crt`. */
    SERVICE_ACCOUNT_DIRECTORY: z.string().min(1).optional(),
    /** Lifetime of a cluster's Lease without renewal. */
    LEASE_SECONDS: z.coerce
      .number('is no number')
      .int('is no whole number')
      .min(1, 'is less than 1')
      .max(15, 'is more than 15')
      .optional(),
    /** Who checks events of Knative's sources: the NetworkPolicy, or the host by the token that a Trigger sends (design §9). */
    BROKER_AUTH: z.enum(['network', 'oidc']).default('network'),
    /** Audience of the Trigger's subscriber; with BROKER_AUTH=oidc. */
    BROKER_AUDIENCE: z.string().min(1).optional(),
  })
  .refine(({ BROKER_AUTH, BROKER_AUDIENCE }) => BROKER_AUTH === 'network' || BROKER_AUDIENCE !== undefined, {
    path: ['BROKER_AUDIENCE'],
    message: 'is needed with BROKER_AUTH=oidc',
  });

export interface FunctionSettings {
  readonly kubernetes: KubernetesClient;
  readonly leaseSeconds: number | undefined;
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
  const parsed = environment.safeParse(variables);
  if (!parsed.success) return failAtStart(early, parsed.error);
  const { data } = parsed;
  const kubernetes = createKubernetesClient(
    serviceAccountConnection({
      host: data.KUBERNETES_SERVICE_HOST,
      port: data.KUBERNETES_SERVICE_PORT,
      ...(data.SERVICE_ACCOUNT_DIRECTORY === undefined ? {} : { directory: data.SERVICE_ACCOUNT_DIRECTORY }),
    }),
  );
  await runFunction({
    routes: { '/': create({ kubernetes, leaseSeconds: data.LEASE_SECONDS }) },
    early,
    port: data.PORT,
    logger: createLogger({ level: data.LOG_LEVEL }),
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

function failAtStart({ server }: EarlyServer, error: z.ZodError): void {
  const variables = error.issues.map(({ path, message }) => `${path.join('.')} ${message}`);
  createLogger().fatal({ variables }, 'the environment of the function is not complete');
  process.exitCode = 2;
  server.close().closeAllConnections();
}
