import { rejectedReply } from '../shared/contract/operation-replies.ts';
import { type Authenticator, noAuthentication } from '../shared/host/authenticator.ts';
import type { EarlyServer } from '../shared/host/early-server.ts';
import type { EventFunction } from '../shared/host/event-function.ts';
import { type Host, startHost } from '../shared/host/host.ts';
import type { Logger } from '../shared/host/logger.ts';
import { createTokenAuthenticator } from '../shared/host/token-authenticator.ts';
import type { KubernetesClient } from '../shared/kubernetes/client.ts';
import { resources } from '../shared/kubernetes/resources.ts';
import { type BrokerEndpointsOptions, brokerEndpoints } from './broker/broker-endpoints.ts';

/** Who checks the callers of the functions: the management cluster, as in a pod, or nobody. */
export type Authentication = 'tokens' | 'none';

export interface LocalHostOptions extends BrokerEndpointsOptions {
  /** Listens already. */
  readonly early: EarlyServer;
  readonly functions: readonly EventFunction[];
  readonly authentication: Authentication;
  readonly kubernetes: KubernetesClient;
  readonly logger: Logger;
}

/** Milliseconds that events under way get at the end: nobody waits longer after Ctrl-C. */
const drainTime = 5000;

/** Serves the functions as `/<name>`, and the broker, on one port. */
export function startLocalHost(options: LocalHostOptions): Promise<Host> {
  const { early, functions, authentication, kubernetes, logger } = options;
  return startHost({
    // Its own is not used.
    port: 0,
    early: { ...early, serve: (listener) => early.serve(brokerEndpoints(options, listener)) },
    routes: Object.fromEntries(functions.map((each) => [`/${each.name}`, each])),
    authenticator: authentication === 'none' ? noAuthentication : tokenAuthenticator(kubernetes),
    rejectedReply: (_event, error) => rejectedReply(error),
    logger,
    stopDelay: 0,
    drainTime,
  });
}

function tokenAuthenticator(kubernetes: KubernetesClient): Authenticator {
  return createTokenAuthenticator({
    createTokenReview: (review) => kubernetes.create(resources.tokenReview, review, { repeatable: true }),
    createSubjectAccessReview: (review) =>
      kubernetes.create(resources.subjectAccessReview, review, { repeatable: true }),
    brokers: 'network',
    now: () => new Date(),
  });
}
