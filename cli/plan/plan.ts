import { randomUUID } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import { serviceCloud } from '../../shared/host/function-environment.ts';
import type { ExitCode } from '../command.ts';
import { readDocument, standardInput } from '../event/read-document.ts';
import { requestOf } from '../event/request-file.ts';
import { connectManagementCluster, type ManagementClusterOptions } from '../management-cluster.ts';
import { type FormatOptions, printFormatted } from '../output/format.ts';
import { painter } from '../output/paint.ts';
import { printLine, type Terminal } from '../output/terminal.ts';
import { completeData } from './complete-data.ts';
import { type Plan, planOperation } from './plan-operation.ts';
import { planLines } from './plan-text.ts';

interface Given extends ManagementClusterOptions, FormatOptions {
  readonly file: string;
  readonly detailedExitcode: boolean;
  readonly keepId: boolean;
}

/** Milliseconds, as a function itself has for an event. */
const timeLimitMs = 110_000;
/** Characters of a line that nobody limits. */
const defaultColumns = 160;

/** Runs the command. */
export async function plan(given: Given, terminal: Terminal): Promise<ExitCode> {
  const event = await readEvent(given, terminal);
  const { connection, close } = await connectManagementCluster(given);
  try {
    const planned = await planOperation(event, {
      connection,
      version: packageJson.version,
      serviceCloud: serviceCloud(terminal.environment),
      signal: AbortSignal.any([terminal.signal, AbortSignal.timeout(timeLimitMs)]),
    });
    await print(planned, given, terminal);
    if (planned.outcome === 'rejected') return 1;
    return given.detailedExitcode && changesAnything(planned) ? 3 : 0;
  } finally {
    close();
  }
}

async function readEvent({ file, keepId }: Given, terminal: Terminal) {
  const document = await readDocument(file === '-' ? standardInput : file, terminal);
  const { attributes, data } = requestOf([document]);
  if (attributes === null) throw new Error('The file holds no CloudEvent: it has no "specversion".');
  const { id = '', source = '', type = '', subject = '', time = '', ...extensions } = attributes;
  const sentNow = { id: `plan-${randomUUID()}`, time: new Date().toISOString() };
  return {
    ...(keepId ? { id, time } : sentNow),
    source,
    type,
    subject,
    extensions,
    data: completeData(type, data, terminal.environment),
  };
}

async function print(planned: Plan, { output }: Given, terminal: Terminal): Promise<void> {
  if (output !== undefined) return printFormatted(terminal, planned, output);
  const look = { paint: painter(terminal), columns: terminal.columns() ?? defaultColumns };
  for (const line of planLines(planned, look)) printLine(terminal, line);
}

function changesAnything({ objects, workload_objects, cloud }: Plan): boolean {
  return objects.length + workload_objects.length + cloud.length > 0;
}
