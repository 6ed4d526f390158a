import { STATUS_CODES } from 'node:http';
import type { ApiError } from './api.ts';

/** Nova's, Cinder's and Manila's names for an error's envelope. */
const faultNames: Readonly<Record<number, string>> = {
  400: 'badRequest',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'itemNotFound',
  405: 'badMethod',
  409: 'conflictingRequest',
  413: 'overLimit',
  415: 'badMediaType',
  429: 'overLimit',
  503: 'serviceUnavailable',
};

/** What a service says by itself where a test injects only a status. */
const ownWords: Readonly<Record<number, string>> = {
  401: 'The request you have made requires authentication.',
  403: "Policy doesn't allow this operation to be performed.",
  404: 'The resource could not be found.',
  409: 'The request conflicts with the state of the resource.',
  413: 'This request was rate-limited.',
  429: 'This request was rate-limited.',
  500: 'An unexpected error prevented the server from fulfilling your request.',
};

export function wordsFor(status: number): string {
  return ownWords[status] ?? STATUS_CODES[status] ?? 'Error';
}

/** The body in which the real service wraps an error. */
export function errorBody(service: string, error: Pick<ApiError, 'status' | 'message' | 'type'>): unknown {
  const { status, message, type } = error;
  const title = STATUS_CODES[status] ?? 'Error';
  // A missing token is refused by keystonemiddleware before the service itself; Glance alone sees to it.
  if (service === 'identity' || (status === 401 && service !== 'image'))
    return { error: { code: status, title, message } };
  if (service === 'image') return glanceBody(status, message);
  if (service === 'network') return { NeutronError: { type, message, detail: '' } };
  if (service === 'load-balancer') return { faultcode: status < 500 ? 'Client' : 'Server', faultstring: message };
  return { [faultNames[status] ?? 'computeFault']: { code: status, message } };
}

/** What the WSGI library of Glance says by itself. */
const noToken =
  'This server could not verify that you are authorized to access the document you requested. Either you supplied the ' +
  'wrong credentials (e.g., bad password), or your browser does not understand how to supply the credentials required.';

function glanceBody(status: number, message: string): unknown {
  const title = STATUS_CODES[status] ?? 'Error';
  const words = status === 401 ? noToken : message;
  return { code: `${status} ${title}`, title, message: `${words}<br /><br />\n\n\n` };
}
