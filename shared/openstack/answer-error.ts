import { errorText, readable } from './error-text.ts';
import {
  AuthenticationError,
  BadRequestError,
  ConflictError,
  type ErrorDetails,
  NotFoundError,
  type OpenStackError,
  PermissionError,
  ProtocolError,
  QuotaError,
  RateLimitError,
  UnavailableError,
} from './errors.ts';
import { retryAfterMs } from './retry.ts';
import type { HttpAnswer, TransportError } from './transport.ts';

/** How Nova, Cinder, Neutron, Keystone and oslo.limit say that a quota is used up. */
const quotaWords =
  /quota.{0,20}exceed|exceed.{0,60}quota|over ?quota|over limit|(?:limit|maximum).{0,80}exceeded|too many server groups/i;

/** How Keystone says that the token has become worthless, as where its project is disabled: it does not find the token. */
const invalidToken = /^unable to validate token/i;

/** What an error needs to know of the session. */
export interface ErrorContext {
  readonly service: string;
  readonly secrets: readonly string[];
  readonly now: number;
}

/** The error for an answer of 300 or more. */
export function answerError(answer: HttpAnswer, context: ErrorContext): OpenStackError {
  const { status, headers } = answer;
  const words = errorText(answer.body);
  const said = words === undefined ? '' : readable(words, context.secrets);
  const message = sentence(`OpenStack ${context.service} answered ${status}${said === '' ? '' : `: ${said}`}`);
  const requestId = headers['x-openstack-request-id'];
  const wait = retryAfterMs(answer, context.now);
  const details: ErrorDetails = {
    service: context.service,
    status,
    requestId: typeof requestId === 'string' ? requestId : undefined,
    retryAfter: wait === undefined ? undefined : Math.ceil(wait / 1000),
  };
  if (status === 404 && invalidToken.test(said)) return new AuthenticationError(message, details);
  return byStatus(message, details, words !== undefined && quotaWords.test(words.slice(0, 2000)));
}

function byStatus(message: string, details: ErrorDetails, isQuota: boolean): OpenStackError {
  const status = details.status ?? 0;
  if (isQuota && [403, 409, 413].includes(status)) return new QuotaError(message, details);
  if (status >= 500) return new UnavailableError(message, details);
  if (status < 400) return new ProtocolError(message, details);
  const ErrorClass = clientErrors[status] ?? BadRequestError;
  return new ErrorClass(message, details);
}

const clientErrors: Readonly<Record<number, new (message: string, details: ErrorDetails) => OpenStackError>> = {
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  413: RateLimitError,
  429: RateLimitError,
};

/** The error for an attempt that brought no whole answer. */
export function transportError(error: TransportError, service: string): OpenStackError {
  const details = { service, cause: error };
  if (error.failure === 'too_large') return new ProtocolError(`OpenStack ${service} sent ${error.message}.`, details);
  const retryable = error.failure !== 'untrusted';
  return new UnavailableError(`OpenStack ${service} could not be used: ${error.message}.`, { ...details, retryable });
}

function sentence(text: string): string {
  return /[.!?\u2026]$/.test(text) ? text : `${text}.`;
}
