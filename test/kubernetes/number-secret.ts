import { resources } from '../../shared/kubernetes/resources.ts';
import type { TestNamespace } from './test-namespace.ts';

/** A Secret with the number 0, which processes under a Lease add to: a lost update shows. */
export async function createNumberSecret({ client, namespace }: TestNamespace, name: string): Promise<void> {
  const data = { number: Buffer.from('0').toString('base64') };
  await client.create(resources.secret, { metadata: { namespace, name }, data });
}

export async function secretText({ client, namespace }: TestNamespace, name: string, key: string): Promise<string> {
  const secret = await client.get(resources.secret, { namespace, name });
  return Buffer.from(secret.data?.[key] ?? '', 'base64').toString();
}
