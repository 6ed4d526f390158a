import { Agent, request } from 'node:https';
import { text } from 'node:stream/consumers';
import * as z from 'zod';

/** Longer than any call of a healthy API server, admission webhooks included. */
const timeout = 20_000;

/** The API server refused a call. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

/** PATCH sends a JSON merge patch. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface KubernetesApi {
  /** @throws {ApiError} for an answer other than 2xx; any other error when the server cannot be reached. */
  call(method: Method, path: string, body?: unknown): Promise<unknown>;
  close(): void;
}

type ApiOptions = { readonly server: string; readonly caCertificate: string } & Credentials;

/** A bearer token, or a client certificate with its key in PEM. */
type Credentials = { readonly token: string } | { readonly clientCertificate: string; readonly clientKey: string };

const status = z.object({ message: z.string() });

/** The few calls that setting up and looking at a control plane needs. */
export function connectApi(options: ApiOptions): KubernetesApi {
  const pair = 'token' in options ? {} : { cert: options.clientCertificate, key: options.clientKey };
  const agent = new Agent({ keepAlive: true, maxSockets: 12, ca: options.caCertificate, ...pair });
  const authorization = 'token' in options ? { authorization: `Bearer ${options.token}` } : undefined;
  return {
    call: async (method, path, body) => {
      const url = new URL(path, options.server);
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
      const headers = { ...authorization, 'content-type': type };
      const answer = await send({ url, method, agent, headers, body });
      return path.startsWith('/api') ? JSON.parse(answer) : answer;
    },
    close: () => agent.destroy(),
  };
}

interface Call {
  readonly url: URL;
  readonly method: string;
  readonly agent: Agent;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: unknown;
}

async function send({ url, method, agent, headers, body }: Call): Promise<string> {
  const payload = body === undefined ? undefined : Buffer.from(JSON.stringify(body));
  // Without it Node sends the body of a DELETE so that no server reads it.
  const length = payload === undefined ? {} : { 'content-length': payload.length };
  const answer = await new Promise<{ readonly code: number; readonly text: string }>((resolve, reject) => {
    const sent = request(url, { method, agent, headers: { ...headers, ...length }, timeout }, (response) => {
      text(response).then((received) => resolve({ code: response.statusCode ?? 0, text: received }), reject);
    });
    sent.once('timeout', () => sent.destroy(new Error(`${url.host} did not answer within ${timeout / 1000} s`)));
    sent.once('error', reject).end(payload);
  });
  if (answer.code < 200 || answer.code > 299) {
    throw new ApiError(answer.code, `${method} ${url.pathname}: ${answer.code} ${readMessage(answer.text)}`);
  }
  return answer.text;
}

function readMessage(answer: string): string {
  try {
    return status.parse(JSON.parse(answer)).message;
  } catch {
    return answer.slice(0, 500);
  }
}
