import { randomBytes } from 'node:crypto';

/** The part of the management etcd that belongs to one workload cluster. */
export interface Keyspace {
  /** Plain HTTP. */
  readonly url: string;
  readonly prefix: string;
}

/** Another cluster of the same name, before or after, has another one. */
export function chooseKeyspace(clusterName: string, url: string): Keyspace {
  return { url, prefix: `/workload/${clusterName}-${randomBytes(4).toString('hex')}` };
}

/** Deletes what a cluster left; a management etcd that has ended has lost it anyhow. */
export async function clearKeyspace({ url, prefix }: Keyspace): Promise<void> {
  // etcd ends a range before its end key, and `0` follows `/`.
  const range = { key: base64(`${prefix}/`), range_end: base64(`${prefix}0`) };
  const body = JSON.stringify(range);
  await fetch(new URL('/v3/kv/deleterange', url), { method: 'POST', body }).catch(() => undefined);
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
