import { type PasswordLogin, passwordToken } from '../cloud/keystone/keystone-api.ts';

/** What a call sends beside its method and URL. */
interface CallOptions {
  /** JSON, unless it is bytes. */
  readonly body?: unknown;
  /** As `compute 2.92`. */
  readonly microversion?: string;
}

/** Any call of a real service, for what the tested client does not do. */
export interface OpenStackApi {
  /** The answer's body. @throws Error with the answer where that is 300 or more */
  call(method: 'GET' | 'POST' | 'PUT' | 'DELETE', url: string, options?: CallOptions): Promise<unknown>;
}

/** @param authUrl Without version. */
export async function openStackApi(authUrl: string, login: PasswordLogin): Promise<OpenStackApi> {
  const token = await passwordToken(authUrl, login);
  return { call: (method, url, options = {}) => send(method, url, { ...options, token }) };
}

async function send(method: string, url: string, options: CallOptions & { readonly token: string }): Promise<unknown> {
  const { token, body, microversion } = options;
  const isBytes = body instanceof Uint8Array;
  const answer = await fetch(url, {
    method,
    headers: {
      'x-auth-token': token,
      'content-type': isBytes ? 'application/octet-stream' : 'application/json',
      ...(microversion === undefined ? {} : { 'openstack-api-version': microversion }),
    },
    ...(body === undefined ? {} : { body: isBytes ? Buffer.from(body) : JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} answered ${answer.status}: ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}
