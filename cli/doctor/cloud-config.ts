import { basename } from 'node:path';
import { load } from 'js-yaml';
import { parseCloud } from 'openstack-client-ts';
import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import type { Surroundings } from './surroundings.ts';

/** Secret with the functions' own credential in the cloud. */
export const serviceCredential = 'magnum-service-credential';

/** Where Keystone is. */
export interface KeystoneAddress {
  readonly url: string;
  /** PEM of a private authority. */
  readonly caCertificate: string | undefined;
  readonly insecure: boolean;
}

/**
 * Keystone as Magnum has it, if somebody says so, else as the functions' own credential has it, else as a cluster has it; undefined where
 * there is none of them.
 */
export async function keystoneAddress(surroundings: Surroundings): Promise<KeystoneAddress | undefined> {
  const { authUrl, caCertificate } = surroundings;
  if (authUrl !== undefined) return { url: authUrl, caCertificate, insecure: false };
  const own = addressIn(await secretData(surroundings, serviceCredential));
  return own ?? clusterAddress(surroundings);
}

async function clusterAddress(surroundings: Surroundings): Promise<KeystoneAddress | undefined> {
  const { client, signal } = surroundings;
  for await (const { metadata } of client.each(resources.cluster, { namespace, pageSize: 1, signal })) {
    const address = addressIn(await secretData(surroundings, stackNames(metadata?.name ?? '').cloudConfig));
    if (address !== undefined) return address;
  }
  return undefined;
}

/** Texts of a Secret by key; undefined where there is none. */
export async function secretData(
  { client, signal }: Surroundings,
  name: string,
): Promise<Readonly<Record<string, string>> | undefined> {
  const secret = await client.find(resources.secret, { namespace, name }, { signal });
  if (secret === undefined) return undefined;
  const texts = Object.entries(secret.data ?? {}).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]);
  return Object.fromEntries(texts);
}

const cloudsYaml = z.object({ clouds: z.record(z.string(), z.unknown()) });
const cloudAddress = z.object({
  auth: z.object({ auth_url: z.url() }),
  cacert: z.string().default('cacert'),
  insecure: z.boolean().default(false),
  verify: z.boolean().default(true),
});

/** The first of its clouds. */
function addressIn(data: Readonly<Record<string, string>> | undefined): KeystoneAddress | undefined {
  const [cloud] = Object.values(cloudsIn(data?.['clouds.yaml'] ?? ''));
  const parsed = cloudAddress.safeParse(cloud).data;
  if (parsed === undefined) return undefined;
  const { auth, cacert, insecure, verify } = parsed;
  // The file that it names is another key of the Secret, wherever that is mounted.
  return { url: auth.auth_url, caCertificate: data?.[basename(cacert)], insecure: insecure || !verify };
}

/** Why nobody can sign in by a clouds.yaml and the cloud of this name; null where one can try. It repeats nothing of the text. */
export function cloudFault(text: string, name: string): string | null {
  const cloud = cloudsIn(text)[name];
  if (cloud === undefined) return `it has no cloud "${name}"`;
  try {
    parseCloud(cloud);
    return null;
  } catch {
    return `its cloud "${name}" lacks what is needed to sign in`;
  }
}

function cloudsIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return cloudsYaml.parse(load(text)).clouds;
  } catch {
    // No cause: a parser's message repeats the text, and with it the secret.
    return {};
  }
}
