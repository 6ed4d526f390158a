import { afterAll, beforeAll, expect } from 'vitest';
import type { Report } from '../../local/report.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { waitFor } from '../env/wait-for.ts';
import { type Change, type ObjectHistory, recordObjectHistory } from '../system/object-history.ts';
import type { HealthReport, ReportLog } from '../system/report-log.ts';
import type { SystemOfFile } from '../system/system-of-file.ts';

/** Milliseconds from the first sign of a fault in the management cluster to its report. */
const longestDelay = 5_000;
/** The same for health, for which nobody waits: its function gathers events for 5 s. */
const longestHealthDelay = 8_000;
/** Milliseconds until Cluster API and CAPO come to the fault, on a busy machine. */
const patience = 150_000;
/** Characters of a reason that a list of clusters shows. */
const beginning = 350;

/** Something that goes wrong in one cluster. */
export interface Fault {
  /** Stands in the list of delays. */
  readonly what: string;
  readonly stackId: string;
  /** Lets it happen. @default it was there before the cluster */
  readonly cause?: () => unknown;
}

interface ShownFault extends Fault {
  /** Whether a change of one of its objects shows the fault. */
  readonly shows: (change: Change) => boolean;
}

export interface ToldFault extends Fault {
  /** Where it is reported beside the cluster; null = in all nodegroups, since they wait for the infrastructure. */
  readonly nodegroup: string | null;
  /** What the reasons must say. */
  readonly words: string;
  /** Whether a change of one of its objects shows the fault. @default its status says `words` */
  readonly shows?: (change: Change) => boolean;
}

/** Lets faults happen and measures how soon they are reported. */
export interface ReportedFaults {
  /** @returns the first report of the cluster's status that tells the fault */
  told(fault: ToldFault): Promise<StatusReport>;
  /** @returns the first report of the cluster's health that is not good */
  unhealthy(fault: ShownFault): Promise<HealthReport>;
}

/** Records what the management cluster shows while the tests of a file run, and prints all delays at their end. */
export function reportedFaultsOfFile(system: SystemOfFile): ReportedFaults {
  const delays: Delay[] = [];
  let history: ObjectHistory | undefined;
  beforeAll(async () => {
    history = await recordObjectHistory(system().controlPlane.kubeconfigPath);
  });
  afterAll(() => {
    history?.stop();
    print(delays);
  });
  const measured = async <T>(fault: LimitedFault, find: Find<T>): Promise<T> => {
    if (history === undefined) throw new Error('Faults can be measured only while tests run.');
    const { value, milliseconds } = await measure(fault, find, { history, reports: system().reports });
    delays.push({ what: fault.what, limit: fault.limit, milliseconds });
    expect(milliseconds, `ms until ${fault.what} was reported`).toBeLessThan(fault.limit);
    return value;
  };
  return {
    async told({ words, nodegroup, shows = saying(words), ...fault }) {
      const told = await measured({ ...fault, shows, limit: longestDelay }, (report) => {
        if (report.kind !== 'status' || report.status.stack_id !== fault.stackId) return undefined;
        return tells(report.status, nodegroup, words) ? report.status : undefined;
      });
      expectReadable(told, words);
      return told;
    },
    unhealthy: (fault) =>
      measured({ ...fault, limit: longestHealthDelay }, (report) => {
        if (report.kind !== 'health' || report.health.stack_id !== fault.stackId) return undefined;
        return report.health.health_status === 'UNHEALTHY' ? report.health : undefined;
      }),
  };
}

interface Seen {
  readonly history: ObjectHistory;
  readonly reports: ReportLog;
}

/** Lets the fault happen, waits for a report in which there is something to find, and tells how long after the first sign it came. */
async function measure<T>(fault: LimitedFault, find: Find<T>, { history, reports }: Seen) {
  const { what, stackId, cause, shows } = fault;
  const isOlder = cause === undefined;
  const [changesBefore, reportsBefore] = isOlder ? [0, 0] : [history.changes.length, reports.received.length];
  await cause?.();
  const probe = async () => {
    for (const { at, report } of reports.received.slice(reportsBefore)) {
      const value = find(report);
      if (value !== undefined) return { at, value };
    }
    throw new Error(`the last report is ${JSON.stringify(reports.statuses(stackId).at(-1))}`);
  };
  const { at, value } = await waitFor(probe, { what: `the report of ${what}`, timeout: patience });
  const own = history.changes.slice(changesBefore).filter(({ name }) => name.startsWith(stackId));
  const shown = own.find(shows);
  if (shown === undefined) throw new Error(`${what} is reported, and nothing shows it`);
  return { value, milliseconds: at - shown.at };
}

type Find<T> = (report: Report) => T | undefined;

interface LimitedFault extends ShownFault {
  /** Milliseconds. */
  readonly limit: number;
}

interface Delay extends Pick<LimitedFault, 'what' | 'limit'> {
  readonly milliseconds: number;
}

function saying(words: string): (change: Change) => boolean {
  return ({ object }) => JSON.stringify(object?.['status'] ?? null).includes(words);
}

function tells({ status_reason, nodegroups }: StatusReport, nodegroup: string | null, words: string): boolean {
  const concerned = nodegroups.filter(({ name }) => nodegroup === null || name === nodegroup);
  const reasons = [status_reason, ...concerned.map((one) => one.status_reason)];
  return reasons.every((reason) => reason?.includes(words));
}

/** A user has no use for URLs and bodies of OpenStack's APIs, and reads only the beginning. */
function expectReadable({ status_reason, nodegroups }: StatusReport, words: string): void {
  for (const reason of [status_reason, ...nodegroups.map((nodegroup) => nodegroup.status_reason)]) {
    if (reason === null) continue;
    expect(reason).toMatch(/^[A-Z][^\r\n]*[.…]$/);
    expect(reason).not.toMatch(/Expected HTTP response|[{}]/);
  }
  expect(status_reason?.split(words), 'reason split by what it is to say once').toHaveLength(2);
  expect(status_reason?.indexOf(words)).toBeLessThan(beginning);
}

function print(delays: readonly Delay[]): void {
  const ofStatus = delays.filter(({ limit }) => limit === longestDelay);
  const sorted = ofStatus.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
  const p95 = sorted[Math.ceil(sorted.length * 0.95) - 1] ?? Number.NaN;
  const rows = delays.map(({ what, milliseconds }) => `${seconds(milliseconds)}  ${what}`);
  const title = 'From a fault in the management cluster to its report:';
  process.stdout.write(`${[title, ...rows, `${seconds(p95)}  p95 of status`].join('\n')}\n`);
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(2).padStart(6)} s`;
}
