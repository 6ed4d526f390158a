import { isBrokerType } from './cloud-event.ts';
import type { EventFunction } from './event-function.ts';
import { UnauthenticatedError } from './host-errors.ts';

/** Who sends an event: a caller with a request, or a broker that delivers an event of a Knative source. */
export type Sender = 'caller' | 'broker';

export interface Access {
  readonly sender: Sender;
  readonly functionName: string;
  /** The Authorization header. */
  readonly authorization: string | undefined;
}

/** Decides who may invoke a function. */
export interface Authenticator {
  /** Whether this sender may come without a token. */
  trusts(sender: Sender): boolean;
  /**
   * @throws UnauthenticatedError without a valid token, ForbiddenError when its owner may not invoke the function,
   * DependencyError when that cannot be found out
   */
  authorize(access: Access): Promise<void>;
}

/** Lets everybody in; for a laptop only. */
export const noAuthentication: Authenticator = { trusts: () => true, authorize: async () => undefined };

/** The sender of events of this type, which a function does or does not take: only events that it takes can pass as a broker's. */
export function senderOf(type: string, target: Receiver): Sender {
  if (target.acceptsAnyFromBroker === true) return 'broker';
  return isBrokerType(type) && Object.hasOwn(target.accepts, type) ? 'broker' : 'caller';
}

/** Who sends events that a function takes. */
export function sendersOf(target: Receiver): ReadonlySet<Sender> {
  if (target.acceptsAnyFromBroker === true) return new Set(['broker']);
  return new Set(Object.keys(target.accepts).map((type) => senderOf(type, target)));
}

type Receiver = Pick<EventFunction, 'accepts' | 'acceptsAnyFromBroker'>;

/**
 * The token of `Authorization: Bearer` (RFC 6750 §2.1).
 * @throws UnauthenticatedError
 */
export function bearerToken(authorization: string | undefined): string {
  const token = /^Bearer +([\w.~+/-]+=*)$/i.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new UnauthenticatedError('The request has no header Authorization with a token.');
  return token;
}
