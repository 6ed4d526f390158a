import { load } from 'js-yaml';
import { openSession, parseCloud, type Session, type SessionOptions } from 'openstack-client-ts';
import * as z from 'zod';
import { DependencyError } from '../contract/errors.ts';
import { activeSignal } from '../host/event-signal.ts';
import { cloudName } from '../render/cloud-config.ts';
import type { Secret } from '../render/rendered-object.ts';

const cloudsYaml = z.object({ clouds: z.object({ [cloudName]: z.unknown() }) });

/** What is read of the Secret, whether it was rendered or read. */
export type CloudConfigSecret = Pick<Secret, 'data'> & { readonly metadata: { readonly name: string } };

/**
 * Opens a session as the cluster itself, by its cloud-config Secret, whether this driver or the original wrote it.
 * @throws DependencyError for a Secret that holds no usable cloud
 */
export function openClusterSession(
  secret: CloudConfigSecret,
  onRequest: SessionOptions['onRequest'],
  timeLimits?: SessionOptions['timeLimits'],
): Session {
  const caCertificate = decoded(secret, 'cacert');
  const authority = caCertificate === '' ? {} : { caCertificate };
  return openSession({ ...cloudOptions(secret), ...authority, onRequest, timeLimits, signal: activeSignal() });
}

/** Id and secret of the application credential in the Secret; null where it holds none that can be read. */
export function clusterCredential(secret: CloudConfigSecret): { readonly id: string; readonly secret: string } | null {
  try {
    const { auth } = cloudOptions(secret);
    return auth.kind === 'application_credential' ? { id: auth.id, secret: auth.secret } : null;
  } catch {
    return null;
  }
}

function cloudOptions(secret: CloudConfigSecret): SessionOptions {
  try {
    const { clouds } = cloudsYaml.parse(load(decoded(secret, 'clouds.yaml')));
    return parseCloud(clouds[cloudName]).options;
  } catch {
    // No cause: a parser's message repeats the text, and with it the secret.
    throw new DependencyError(`Secret ${secret.metadata.name} holds no usable clouds.yaml.`);
  }
}

function decoded(secret: CloudConfigSecret, key: string): string {
  return Buffer.from(secret.data[key] ?? '', 'base64').toString('utf8');
}
