import type { Report } from '../../local/report.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { waitFor } from '../env/wait-for.ts';

export type HealthReport = Extract<Report, { kind: 'health' }>['health'];

/** A report and when it came, in milliseconds of `performance.now()`. */
interface Received {
  readonly at: number;
  readonly report: Report;
}

interface WaitOptions<Wanted> {
  /** Stands in the error, e.g. `CREATE_COMPLETE`. */
  readonly what: string;
  readonly matches: (report: Wanted) => boolean;
  /** Milliseconds. @default 60,000 */
  readonly timeout?: number;
}

/** All reports in the order in which they came. */
export class ReportLog {
  readonly received: Received[] = [];

  add(report: Report): void {
    this.received.push({ at: performance.now(), report });
  }

  /** Status reports of a cluster, by its UUID or stack id. */
  statuses(cluster: string): readonly StatusReport[] {
    return this.received.flatMap(({ report }) =>
      report.kind === 'status' && isOf(cluster, report.status) ? [report.status] : [],
    );
  }

  /** Health reports of a cluster, by its UUID or stack id. */
  healths(cluster: string): readonly HealthReport[] {
    return this.received.flatMap(({ report }) =>
      report.kind === 'health' && isOf(cluster, report.health) ? [report.health] : [],
    );
  }

  /** The last status report once it matches. @throws Error that shows the last one where it does not in time */
  status(cluster: string, options: WaitOptions<StatusReport>): Promise<StatusReport> {
    return last(() => this.statuses(cluster), cluster, options);
  }

  /** The last health report once it matches. @throws Error that shows the last one where it does not in time */
  health(cluster: string, options: WaitOptions<HealthReport>): Promise<HealthReport> {
    return last(() => this.healths(cluster), cluster, options);
  }
}

function isOf(cluster: string, report: { readonly cluster_uuid: string; readonly stack_id: string }): boolean {
  return report.cluster_uuid === cluster || report.stack_id === cluster;
}

function last<Wanted>(
  read: () => readonly Wanted[],
  cluster: string,
  { what, matches, timeout = 60_000 }: WaitOptions<Wanted>,
): Promise<Wanted> {
  const probe = async () => {
    const report = read().at(-1);
    if (report !== undefined && matches(report)) return report;
    throw new Error(`the last report is ${JSON.stringify(report)}`);
  };
  return waitFor(probe, { what: `${what} of ${cluster}`, timeout, interval: 20 });
}

/** E.g. `CREATE_COMPLETE`; without a known action only the state. */
export function statusOf({ action, state }: Pick<StatusReport, 'action' | 'state'>): string {
  return action === null ? state : `${action}_${state}`;
}
