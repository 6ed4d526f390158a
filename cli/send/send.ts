import type { CarriedEvent } from '../../shared/event/carried-event.ts';
import { type PostAnswer, postEvent } from '../../shared/event/post-event.ts';
import { chooseCluster, isUuid, knownClusters } from '../cluster/known-cluster.ts';
import type { ExitCode } from '../command.ts';
import { UsageError } from '../errors.ts';
import { readDocument } from '../event/read-document.ts';
import { type RequestFile, requestOf } from '../event/request-file.ts';
import type { ManagementClusterOptions } from '../management-cluster.ts';
import { type OpenManagementCluster, openOnce } from '../management-cluster.ts';
import { type Format, printFormatted } from '../output/format.ts';
import { painter } from '../output/paint.ts';
import type { Terminal } from '../output/terminal.ts';
import { readTokenFile } from '../token-file.ts';
import { webAddress } from '../web-address.ts';
import { readAnswer } from './answer.ts';
import { eventOf, lookingRequest } from './build-event.ts';
import { conductorToken } from './conductor-token.ts';
import { functionOf } from './event-types.ts';
import { functionUrl, isClusterLocal, localUrl } from './function-url.ts';
import { exitCodeOf, printAnswer } from './print-answer.ts';

export interface SendArguments extends ManagementClusterOptions {
  readonly file: string | undefined;
  readonly type: string | undefined;
  readonly cluster: string | undefined;
  readonly url: string | undefined;
  readonly local: boolean;
  readonly tokenFile: string | undefined;
  readonly anonymous: boolean;
  readonly keepId: boolean;
  /** Seconds. */
  readonly timeout: number;
  readonly output: Format | undefined;
}

interface Sending {
  readonly given: SendArguments;
  readonly terminal: Terminal;
  /** Connected only where something has to be asked. */
  readonly management: OpenManagementCluster;
}

/** Sends one event and prints the answer. @throws Error in one sentence where none comes */
export async function send(given: SendArguments, terminal: Terminal): Promise<ExitCode> {
  const management = openOnce(given);
  const sending = { given, terminal, management };
  try {
    const event = eventOf(await requestFor(sending), {
      type: given.type,
      keepId: given.keepId,
      userToken: terminal.environment['OS_TOKEN'] || undefined,
    });
    const answer = readAnswer(await post(sending, event));
    if (given.output === undefined) printAnswer(terminal, answer, painter(terminal));
    else await printFormatted(terminal, answer, given.output);
    return exitCodeOf(answer);
  } finally {
    await management.close();
  }
}

async function requestFor({ given, terminal, management }: Sending): Promise<RequestFile> {
  const { file, type, cluster } = given;
  if (file !== undefined) {
    if (cluster !== undefined) throw new UsageError('The file says which cluster it is about: leave out --cluster.');
    return requestOf([await readDocument(file, terminal)]);
  }
  if (type === undefined || cluster === undefined) throw new UsageError('Give a file, or --type and --cluster.');
  if (isUuid(cluster)) return lookingRequest(type, { uuid: cluster.toLowerCase(), stackId: null });
  return lookingRequest(type, chooseCluster(await knownClusters(await management.open(), terminal.signal), cluster));
}

async function post(sending: Sending, event: CarriedEvent): Promise<PostAnswer> {
  const { given, terminal } = sending;
  const [url, token] = await Promise.all([urlFor(sending, event), tokenFor(sending)]);
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` };
  try {
    return await postEvent({ url, event, headers, timeout: given.timeout * 1000, signal: terminal.signal });
  } catch (error) {
    throw new Error(unreachable(url, error, given.timeout), { cause: error });
  }
}

async function urlFor({ given, terminal, management }: Sending, event: CarriedEvent): Promise<string> {
  if (given.url !== undefined) return webAddress('--url', given.url);
  const type = event.attributes['type'] ?? '';
  const name = functionOf(type);
  if (name === undefined) throw new UsageError(`No function takes ${type}.`);
  return given.local ? localUrl(name) : functionUrl(await management.open(), name, terminal.signal);
}

async function tokenFor({ given, terminal, management }: Sending): Promise<string | undefined> {
  if (given.anonymous) return undefined;
  if (given.tokenFile !== undefined) return readTokenFile(given.tokenFile);
  const known = terminal.environment['MAGNUM_CAPI_TOKEN']?.trim();
  return known || conductorToken(await management.open(), terminal.signal);
}

function unreachable(url: string, error: unknown, timeout: number): string {
  const { host } = new URL(url);
  if (error instanceof Error && error.name === 'TimeoutError') return `${host} has not answered within ${timeout} s.`;
  const code = error instanceof Error && 'code' in error ? error.code : error;
  const hint = isClusterLocal(url) ? ' It is reachable only inside the cluster: run this there, or say --url.' : '';
  return `${host} cannot be reached (${code}).${hint}`;
}
