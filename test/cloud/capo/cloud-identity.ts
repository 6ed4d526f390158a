import { load } from 'js-yaml';
import * as z from 'zod';
import { resources } from '../../../shared/kubernetes/resources.ts';
import type { KubernetesApi } from '../../env/kubernetes-api.ts';
import type { Identity } from '../openstack/identity.ts';
import { pathOf } from './infrastructure-objects.ts';

const secret = z.object({ data: z.record(z.string(), z.string()).default({}) });

const clouds = z.object({
  clouds: z.record(
    z.string(),
    z.object({
      auth: z.object({ application_credential_id: z.string(), application_credential_secret: z.string() }),
    }),
  ),
});

export interface IdentityRef {
  readonly name: string;
  readonly cloudName: string;
}

/**
 * Id of the project that the credential of an identityRef opens, as CAPO signs in with it.
 * @throws Error as CAPO does, which says so in its log alone: no condition and no event tells of it (pkg/scope/provider.go)
 */
export async function projectOf(
  api: KubernetesApi,
  identity: Identity,
  { namespace, identityRef }: { readonly namespace: string; readonly identityRef: IdentityRef },
): Promise<string> {
  const path = pathOf({ ...resources.secret }, namespace, identityRef.name);
  const { data } = secret.parse(await api.call('GET', path));
  const content = Buffer.from(data['clouds.yaml'] ?? '', 'base64').toString();
  const auth = clouds.parse(load(content)).clouds[identityRef.cloudName]?.auth;
  if (auth === undefined) throw new Error(`cloud ${identityRef.cloudName} not found in secret ${identityRef.name}`);
  const credential = { id: auth.application_credential_id, secret: auth.application_credential_secret };
  const projectId = await identity.credentialProject(credential);
  if (projectId !== null) return projectId;
  throw new Error('providerClient authentication err: Keystone does not know the application credential');
}
