import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { openSession, parseCloud, type Session, type SessionOptions } from 'openstack-client-ts';
import * as z from 'zod';
import { DependencyError } from '../contract/errors.ts';
import { activeSignal } from '../host/event-signal.ts';

/** Where the functions' own credential stands: it acts where no cluster's can, as to delete a credential (design §7). */
export interface ServiceCloud {
  /** A clouds.yaml, mounted from a Secret; read at each use, since it may be renewed. */
  readonly file: string;
  /** Name of the cloud in it. */
  readonly name: string;
}

const cloudsYaml = z.object({ clouds: z.record(z.string(), z.unknown()) });

/**
 * Opens a session of the functions' own user.
 * @throws DependencyError for a file that cannot be read or does not describe the cloud
 */
export async function openServiceSession(
  cloud: ServiceCloud,
  onRequest: SessionOptions['onRequest'],
  timeLimits?: SessionOptions['timeLimits'],
): Promise<Session> {
  const { options, caCertificateFile } = await readCloud(cloud);
  const authority = caCertificateFile === undefined ? {} : { caCertificate: await readText(caCertificateFile) };
  return openSession({ ...options, ...authority, onRequest, timeLimits, signal: activeSignal() });
}

async function readCloud({ file, name }: ServiceCloud): Promise<ReturnType<typeof parseCloud>> {
  const text = await readText(file);
  try {
    return parseCloud(cloudsYaml.parse(load(text)).clouds[name]);
  } catch {
    // No cause: a parser's message repeats the text, and with it the password.
    throw new DependencyError(`The file ${file} does not describe a cloud ${name} that the functions can sign in to.`);
  }
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    throw new DependencyError(`The file ${file} of the functions' own credential cannot be read.`, { cause: error });
  }
}
