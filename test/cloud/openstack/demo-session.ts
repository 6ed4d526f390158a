import { openSession, type Session, type SessionOptions } from 'openstack-client-ts';
import type { CloudCredential } from '../../../shared/render/cloud-facts.ts';
import type { SimulatedOpenStack } from './simulated-openstack.ts';

/** A session of the user demo on the project demo of the simulated cloud, by a token unless told otherwise. */
export function demoSession(cloud: SimulatedOpenStack, options: Partial<SessionOptions> = {}): Session {
  const token = cloud.issueToken({ user: 'demo', project: 'demo' });
  const auth = { kind: 'token', authUrl: cloud.authUrl, token } as const;
  return openSession({ auth, caCertificate: cloud.caCertificate, ...options });
}

/** Options that sign in as demo with a new application credential, which the cloud then knows. */
export function demoCredential(
  cloud: SimulatedOpenStack,
): Extract<SessionOptions['auth'], { kind: 'application_credential' }> {
  const { tokens, applicationCredentials } = cloud.state;
  cloud.issueToken({ user: 'demo', project: 'demo', restricted: true });
  const credential = applicationCredentials.find(({ id }) => id === tokens.at(-1)?.applicationCredentialId);
  if (credential === undefined) throw new RangeError('The simulated cloud lost its newest application credential.');
  return { kind: 'application_credential', authUrl: cloud.authUrl, id: credential.id, secret: credential.secret };
}

/** What a cluster of demo's has to reach the simulated cloud. @param credential which it acts with */
export function demoAccess(
  cloud: SimulatedOpenStack,
  { id, secret }: { readonly id: string; readonly secret: string } = demoCredential(cloud),
): CloudCredential {
  return {
    applicationCredentialId: id,
    applicationCredentialSecret: secret,
    authUrl: cloud.authUrl,
    region: 'RegionOne',
    endpointType: 'public',
    verify: true,
    caCertificate: cloud.caCertificate ?? null,
  };
}
