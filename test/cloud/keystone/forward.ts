import type { RawRequest, Reply } from '../openstack/api.ts';

/** Headers that belong to one connection. */
const ownOfConnection = ['connection', 'content-length', 'expect', 'host', 'keep-alive', 'transfer-encoding'];

/** Passes a request on to Keystone, and its answer back, byte by byte. @param authUrl without version */
export async function forward(authUrl: string, { method, path, query, headers, body }: RawRequest): Promise<Reply> {
  const search = query.size === 0 ? '' : `?${query}`;
  const passed = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && !ownOfConnection.includes(name) ? [[name, value]] : [],
  );
  const answer = await fetch(`${authUrl}${path}${search}`, {
    method,
    headers: passed,
    redirect: 'manual',
    ...(body === '' ? {} : { body }),
  });
  const answered = [...answer.headers].filter(([name]) => !ownOfConnection.includes(name));
  return { status: answer.status, body: await answer.text(), headers: Object.fromEntries(answered) };
}
