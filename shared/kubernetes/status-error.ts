import * as z from 'zod';
import {
  ConflictError,
  ForbiddenError,
  InvalidError,
  KubernetesError,
  NotFoundError,
  UnavailableError,
} from './errors.ts';

/** An admission webhook may answer with as long a text as it likes. */
const longestMessage = 1_000;

/** These answers speak of names, rights and field paths only, so even those about a Secret may be shown. */
const neverQuotesContent = new Set([401, 403, 404, 409]);

/** Kubernetes' `Status`; every part falls back by itself, since a proxy or a webhook may have written the answer. */
const statusSchema = z.object({
  message: z.string().catch(''),
  reason: z.string().catch(''),
  details: z
    .object({
      kind: z.string().catch(''),
      retryAfterSeconds: z.number().positive().optional().catch(undefined),
      causes: z
        .array(z.object({ field: z.string().catch(''), reason: z.string().catch(''), message: z.string().catch('') }))
        .catch([]),
    })
    .catch({ kind: '', causes: [] }),
});

type ApiStatus = z.infer<typeof statusSchema>;

/** What was asked of the API server, in the words of an error's sentence. */
export interface CallDescription {
  readonly verb: 'get' | 'list' | 'create' | 'apply' | 'patch' | 'delete';
  readonly apiVersion: string;
  readonly kind: string;
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  /** Leave out what the API server says about the content. */
  readonly confidential?: boolean | undefined;
}

/** The beginning of each error's sentence, e.g. `Cannot patch Cluster magnum-system/kube-abcde`. */
export function describeCall(call: CallDescription): string {
  const target = [call.namespace, call.name].filter((part) => part !== undefined).join('/');
  return `Cannot ${call.verb} ${call.kind}${target === '' ? '' : ` ${target}`}`;
}

/** Seconds to wait that the body of an answer names; a few of the API server's answers have it only there. */
export function retryAfterOfBody(body: string): number | undefined {
  return parseStatus(body).details.retryAfterSeconds;
}

interface ErrorAnswer {
  readonly status: number;
  readonly body: string;
  /** Seconds. */
  readonly retryAfter?: number | undefined;
}

/** The typed error for an answer that is no success. */
export function statusError(call: CallDescription, answer: ErrorAnswer): KubernetesError {
  const status = parseStatus(answer.body);
  const hidden = call.confidential === true && !neverQuotesContent.has(answer.status);
  const ErrorClass = errorClass(call, answer.status, status);
  return new ErrorClass(`${describeCall(call)}: ${explanation(call, answer.status, status)}`, {
    apiStatus: answer.status,
    reason: status.reason,
    causes: hidden ? status.details.causes.map((cause) => ({ ...cause, message: '' })) : status.details.causes,
    retryAfter: answer.retryAfter,
  });
}

const unambiguous: Readonly<Record<number, typeof KubernetesError>> = {
  400: InvalidError,
  401: ForbiddenError,
  403: ForbiddenError,
  409: ConflictError,
  413: InvalidError,
  429: UnavailableError,
};

function errorClass(call: CallDescription, httpStatus: number, status: ApiStatus): typeof KubernetesError {
  if (httpStatus === 404) return namesMissingObject(status) ? NotFoundError : UnavailableError;
  if (httpStatus === 422) return isFailedPatch(call, status) ? ConflictError : InvalidError;
  if (httpStatus >= 500) return isUntypedApply(status) ? InvalidError : UnavailableError;
  return unambiguous[httpStatus] ?? KubernetesError;
}

function explanation(call: CallDescription, httpStatus: number, status: ApiStatus): string {
  if (isFailedPatch(call, status)) return 'the object is no longer what the patch assumes';
  if (call.confidential === true && !neverQuotesContent.has(httpStatus)) {
    return refusedFields(status) || `HTTP ${httpStatus}, whose explanation may quote the content`;
  }
  if (status.message !== '') return status.message.slice(0, longestMessage);
  if (httpStatus === 404) return `the API server does not serve ${call.kind} of ${call.apiVersion}`;
  return `HTTP ${httpStatus} without an explanation`;
}

/** A `test` that does not hold, or a path that is gone, is answered with a 422 that names neither object nor field. */
function isFailedPatch({ verb }: CallDescription, { details, message }: ApiStatus): boolean {
  return verb === 'patch' && details.kind === '' && message.startsWith('the server rejected our request');
}

/** A kind that is not served is a 404 too, but proves no object missing: deletions must not take it for that. */
function namesMissingObject({ details }: ApiStatus): boolean {
  return details.kind !== '';
}

/** Server-side apply answers 500 to a field that the schema does not have, or that has another type. */
function isUntypedApply({ message }: ApiStatus): boolean {
  return message.startsWith('failed to create typed patch object');
}

function refusedFields({ details }: ApiStatus): string {
  const fields = details.causes.map((cause) => `${cause.field} (${cause.reason})`);
  return fields.length === 0 ? '' : `refused are ${fields.join(', ')}`.slice(0, longestMessage);
}

function parseStatus(body: string): ApiStatus {
  try {
    return statusSchema.parse(JSON.parse(body));
  } catch {
    return { message: '', reason: '', details: { kind: '', causes: [] } };
  }
}
