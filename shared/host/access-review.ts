import { DependencyError } from '../contract/errors.ts';
import type { Sender } from './authenticator.ts';
import { ForbiddenError, UnauthenticatedError } from './host-errors.ts';

/** Who a token belongs to, in the words of the Kubernetes API. */
interface Identity {
  readonly uid?: string;
  readonly groups?: string[];
  readonly extra?: Record<string, string[]>;
}

/** The owner of a valid token. */
export interface User extends Identity {
  readonly username: string;
}

/** What is asked of the Kubernetes API about a token. */
interface TokenReview {
  readonly apiVersion: 'authentication.k8s.io/v1';
  readonly kind: 'TokenReview';
  readonly spec: { readonly token: string; readonly audiences: string[] };
}

interface TokenReviewStatus {
  readonly authenticated?: boolean;
  readonly audiences?: readonly string[];
  readonly user?: Identity & { readonly username?: string };
}

/** What is asked of the Kubernetes API about the owner of a token. */
interface SubjectAccessReview {
  readonly apiVersion: 'authorization.k8s.io/v1';
  readonly kind: 'SubjectAccessReview';
  readonly spec: Identity & { readonly user: string; readonly resourceAttributes: ResourceAttributes };
}

interface ResourceAttributes {
  readonly group: string;
  readonly resource: string;
  readonly verb: string;
  readonly namespace: string;
}

/** Creates a review in the Kubernetes API, which fills in the status. */
type Create<Review, Status> = (review: Review) => Promise<{ readonly status?: Status }>;

/** The two calls of the Kubernetes API that decide about a token. */
export interface ReviewApi {
  readonly createTokenReview: Create<TokenReview, TokenReviewStatus>;
  readonly createSubjectAccessReview: Create<SubjectAccessReview, { readonly allowed: boolean }>;
}

/** Virtual API group of the functions: senders of requests are granted `invoke`, Triggers `deliver`, on a function's name. */
const functionsGroup = 'functions.magnum.openstack.org';
const verbs: Readonly<Record<Sender, string>> = { caller: 'invoke', broker: 'deliver' };

/**
 * The owner of a token that was issued for an audience.
 * @throws UnauthenticatedError, DependencyError
 */
export async function reviewToken(api: ReviewApi, token: string, audience: string): Promise<User> {
  const spec = { token, audiences: [audience] };
  const status = await statusOf(
    api.createTokenReview({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenReview', spec }),
  );
  const { username, ...identity } = status?.user ?? {};
  // An API server that ignores audiences would accept any token of the cluster: only a named audience counts.
  const isMeant = status?.authenticated === true && status.audiences?.includes(audience) === true;
  if (!isMeant || !username) throw new UnauthenticatedError('The bearer token is not valid for these functions.');
  return { username, ...identity };
}

/** Which function an event is for, and where its sender's grant stands. */
interface Invocation {
  readonly sender: Sender;
  readonly functionName: string;
  readonly namespace: string;
}

/** @throws ForbiddenError, DependencyError */
export async function reviewAccess(api: ReviewApi, user: User, invocation: Invocation): Promise<void> {
  const { username, ...identity } = user;
  const { sender, functionName, namespace } = invocation;
  const resourceAttributes = { group: functionsGroup, resource: functionName, verb: verbs[sender], namespace };
  const spec = { user: username, ...identity, resourceAttributes };
  const review = { apiVersion: 'authorization.k8s.io/v1', kind: 'SubjectAccessReview', spec } as const;
  const status = await statusOf(api.createSubjectAccessReview(review));
  if (status?.allowed === true) return;
  throw new ForbiddenError(`The owner of the token may not invoke the function ${functionName}.`);
}

async function statusOf<Status>(review: Promise<{ readonly status?: Status }>): Promise<Status | undefined> {
  try {
    return (await review).status;
  } catch (error) {
    throw new DependencyError('The Kubernetes API could not check the bearer token.', { cause: error });
  }
}
