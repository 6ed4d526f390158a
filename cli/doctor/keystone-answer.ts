import * as z from 'zod';
import { createTransport, type HttpAnswer, TransportError } from '../../shared/openstack/transport.ts';
import type { KeystoneAddress } from './cloud-config.ts';

/** Milliseconds; a version document comes from memory. */
const timeLimitMs = 10_000;

/** What Keystone says to whoever asks. */
export interface KeystoneAnswer {
  /** E.g. `v3.14`. */
  readonly version: string;
  /** Its clock, in milliseconds since the epoch; undefined where it does not say. */
  readonly time: number | undefined;
}

const version = z.object({ id: z.string().startsWith('v3') });
const document = z.union([
  z.object({ version }).transform((found) => found.version),
  z
    .object({ versions: z.object({ values: z.array(z.object({ id: z.string() })) }) })
    .transform(({ versions }, context) => {
      const found = versions.values.find(({ id }) => id.startsWith('v3'));
      if (found !== undefined) return found;
      context.addIssue('has no v3');
      return z.NEVER;
    }),
]);

/**
 * Reads Keystone's version document, without a token.
 * @throws Error in one sentence where it cannot be reached or trusted, or something else answers
 */
export async function askKeystone({ url, ...trust }: KeystoneAddress, signal: AbortSignal): Promise<KeystoneAnswer> {
  const transport = createTransport(trust);
  try {
    const headers = { accept: 'application/json', 'user-agent': 'magnum-capi' };
    return read(url, await transport.exchange({ method: 'GET', url, headers, timeLimitMs, signal }));
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const what = error.failure === 'untrusted' ? 'cannot be trusted' : 'cannot be reached from here';
    throw new Error(`Keystone at ${url} ${what}: ${error.message}.`, { cause: error });
  } finally {
    transport.close();
  }
}

function read(url: string, { status, headers, body }: HttpAnswer): KeystoneAnswer {
  const found = document.safeParse(parsedJson(body)).data;
  if (found === undefined) {
    throw new Error(
      status >= 500
        ? `Keystone at ${url} is out of order (HTTP ${status}).`
        : `What answers at ${url} is no Keystone with version 3 of its API (HTTP ${status}).`,
    );
  }
  const time = Date.parse(headers.date ?? '');
  return { version: found.id, time: Number.isNaN(time) ? undefined : time };
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
