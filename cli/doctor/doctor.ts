import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { ForbiddenError } from '../../shared/kubernetes/errors.ts';
import { HttpKubernetesClient } from '../../shared/kubernetes/http-client.ts';
import type { ExitCode } from '../command.ts';
import { connectManagementCluster, type ManagementClusterOptions } from '../management-cluster.ts';
import { type FormatOptions, printFormatted } from '../output/format.ts';
import { painter } from '../output/paint.ts';
import { printLine, type Terminal } from '../output/terminal.ts';
import { DryRunCaller } from '../plan/dry-run-caller.ts';
import { webAddress } from '../web-address.ts';
import { type ApiReader, createApiReader } from './api-reader.ts';
import { baseManifests } from './base-manifests.ts';
import type { CheckId } from './check-ids.ts';
import { checks } from './checks.ts';
import { reportDocument, reportLines } from './report.ts';
import { type CheckResult, chosenChecks, runChecks } from './run-checks.ts';

export interface DoctorArguments extends ManagementClusterOptions, FormatOptions {
  /** Empty = all. */
  readonly check: readonly CheckId[];
  readonly authUrl: string | undefined;
}

/** Milliseconds. A webhook has ten seconds as Cluster API sets it, and the API server has to be the one who says that it gave no answer. */
const limits = { timeoutMs: 20_000, deadlineMs: 25_000, check: 30_000 };

/** Runs the command. @throws Error in one sentence where there is no API server that answers */
export async function doctor(given: DoctorArguments, terminal: Terminal): Promise<ExitCode> {
  const authUrl = keystoneOf(given, terminal);
  const { connection, close } = await connectManagementCluster(given);
  const { check, ...callLimits } = limits;
  const options = { userAgent: 'magnum-capi doctor', ...callLimits };
  const api = createApiReader(connection, options);
  const client = new HttpKubernetesClient(new DryRunCaller(connection, options));
  try {
    await requireAnswer(api, terminal.signal);
    const surroundings = {
      api,
      client,
      manifests: await baseManifests(),
      version: packageJson.version,
      authUrl,
      caCertificate: await authorityOf(terminal),
      now: () => Date.now(),
    };
    const limit = () => AbortSignal.any([terminal.signal, AbortSignal.timeout(check)]);
    const wanted = given.check.length === 0 ? checks : chosenChecks(checks, given.check);
    return await print(await runChecks(wanted, surroundings, limit), given, terminal);
  } finally {
    client.close();
    api.close();
    close();
  }
}

/** @throws UsageError for what is no address */
function keystoneOf({ authUrl }: DoctorArguments, { environment }: Terminal): string | undefined {
  if (authUrl !== undefined) return webAddress('--auth-url', authUrl);
  const { OS_AUTH_URL: fallback = '' } = environment;
  return fallback === '' ? undefined : webAddress('variable OS_AUTH_URL', fallback);
}

/** Nothing can be said of a cluster that does not answer. */
async function requireAnswer(api: ApiReader, signal: AbortSignal): Promise<void> {
  try {
    await api.read('/version', z.unknown(), signal);
  } catch (error) {
    // Somebody who may not even read the version is told so by the check of it.
    if (error instanceof ForbiddenError && error.apiStatus === 403) return;
    const reason = error instanceof Error ? error.message.replace(/^Cannot [^:]*: /, '') : String(error);
    throw new Error(`The API server of the management cluster gives no answer: ${reason}`, { cause: error });
  }
}

async function authorityOf({ environment }: Terminal): Promise<string | undefined> {
  const path = environment['OS_CACERT'];
  if (path === undefined || path === '') return undefined;
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new Error(`The file ${path} of OS_CACERT cannot be read.`, { cause: error });
  }
}

async function print(
  results: readonly CheckResult[],
  { output }: DoctorArguments,
  terminal: Terminal,
): Promise<ExitCode> {
  if (output === undefined) for (const line of reportLines(results, painter(terminal))) printLine(terminal, line);
  else await printFormatted(terminal, reportDocument(results), output);
  return results.some(({ verdict }) => verdict === 'failed') ? 1 : 0;
}
