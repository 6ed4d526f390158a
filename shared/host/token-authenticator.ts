import { AccessCache } from './access-cache.ts';
import { type ReviewApi, reviewAccess, reviewToken } from './access-review.ts';
import { type Authenticator, bearerToken, type Sender } from './authenticator.ts';
import { requireSignedToken } from './signed-token.ts';
import { Slots } from './slots.ts';

export interface TokenAuthenticatorOptions extends ReviewApi {
  /**
   * How events of Knative sources are checked: `network` leaves it to the NetworkPolicy; an audience demands a token that
   * was issued for it, as Triggers with `subscriber.audience` send.
   */
  readonly brokers: 'network' | { readonly audience: string };
  readonly now: () => Date;
  /** @default magnum-functions */
  readonly audience?: string;
  /** Namespace in which senders are granted their functions. @default magnum-system */
  readonly namespace?: string;
}

const cacheLimits = { milliseconds: 60_000, refusedMilliseconds: 5000, size: 1000 };

/** Tokens that are checked at once; others wait. Whoever makes tokens up must not load the API server at will. */
const concurrency = 8;

/**
 * Checks bearer tokens by TokenReview and their owners by SubjectAccessReview; a success holds for up to 60 s, a refusal for
 * 5 s.
 */
export function createTokenAuthenticator(options: TokenAuthenticatorOptions): Authenticator {
  const { brokers, now, audience = 'magnum-functions', namespace = 'magnum-system' } = options;
  const cache = new AccessCache({ now, ...cacheLimits });
  const slots = new Slots(concurrency);
  const trusts = (sender: Sender) => sender === 'broker' && brokers === 'network';
  const audienceOf = (sender: Sender) => (sender === 'broker' && brokers !== 'network' ? brokers.audience : audience);
  return {
    trusts,
    async authorize({ sender, functionName, authorization }) {
      if (trusts(sender)) return;
      const token = bearerToken(authorization);
      requireSignedToken(token, now());
      const check = async () => {
        const user = await reviewToken(options, token, audienceOf(sender));
        await reviewAccess(options, user, { sender, functionName, namespace });
      };
      await cache.once([sender, functionName, token], () => slots.run(check));
    },
  };
}
