import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { waitFor } from '../env/wait-for.ts';

const script = fileURLToPath(new URL('watch-rows.py', import.meta.url));

const clusterRow = z.object({
  name: z.string(),
  stack_id: z.string().nullable(),
  status: z.string(),
  status_reason: z.string().nullable(),
  health_status: z.string().nullable(),
  api_address: z.string().nullable(),
  coe_version: z.string().nullable(),
  cluster_template_id: z.string(),
});
export type ClusterRow = z.output<typeof clusterRow>;

/** A list, which Magnum keeps as text. */
const addresses = z
  .string()
  .nullable()
  .transform((text) => z.array(z.string()).parse(JSON.parse(text ?? '[]') ?? []));

const nodegroupRow = z.object({
  status: z.string().nullable(),
  status_reason: z.string().nullable(),
  node_count: z.int(),
  stack_id: z.string().nullable(),
  node_addresses: addresses,
});
type NodegroupRow = z.output<typeof nodegroupRow>;

const place = { cluster: z.string(), name: z.string() };
const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cluster'), ...place, row: clusterRow.nullable() }),
  z.object({ kind: z.literal('nodegroup'), ...place, row: nodegroupRow.nullable() }),
  z.object({ kind: z.literal('count'), ...place, row: z.int() }),
]);

/** A row as it became; null once it is gone. */
export type RowChange = z.output<typeof change> & {
  /** When it was seen, at most some 20 ms late, in milliseconds of `performance.now()`. */
  readonly at: number;
};

export interface RowLogOptions {
  readonly python: string;
  /** Path of MariaDB's socket. */
  readonly socket: string;
}

/** Every change of Magnum's rows, in the order in which they were seen. */
export class RowLog {
  readonly changes: RowChange[] = [];
  readonly #child: ChildProcess;

  constructor({ python, socket }: RowLogOptions) {
    const child = spawn(python, ['-W', 'ignore', script, socket], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.changes.push({ ...change.parse(JSON.parse(line)), at: performance.now() });
    });
    this.#child = child;
  }

  /** A cluster's row now; undefined where there is none. */
  cluster(uuid: string): ClusterRow | undefined {
    const last = this.clusterRows(uuid).at(-1);
    return last?.row ?? undefined;
  }

  /** A nodegroup's row now; undefined where there is none. */
  nodegroup(uuid: string, name: string): NodegroupRow | undefined {
    const last = this.nodegroupRows(uuid).findLast((one) => one.name === name);
    return last?.row ?? undefined;
  }

  /** Number of rows in a table. */
  count(table: string): number {
    const counts = this.changes.flatMap((one) => (one.kind === 'count' && one.name === table ? [one.row] : []));
    return counts.at(-1) ?? 0;
  }

  /** What became of a cluster's nodegroups. */
  nodegroupRows(uuid: string): readonly Extract<RowChange, { kind: 'nodegroup' }>[] {
    return this.changes.flatMap((one) => (one.kind === 'nodegroup' && one.cluster === uuid ? [one] : []));
  }

  /** What became of a cluster's own row. @param since of `performance.now()` */
  clusterRows(uuid: string, since = 0): readonly Extract<RowChange, { kind: 'cluster' }>[] {
    return this.changes.flatMap((one) =>
      one.kind === 'cluster' && one.cluster === uuid && one.at >= since ? [one] : [],
    );
  }

  /**
   * The row at the end of the operation that began after that time: it was in progress, and is no more.
   * @throws Error that shows the row where it does not end in time
   */
  ended(uuid: string, since: number, timeout = 300_000): Promise<ClusterRow> {
    const probe = async () => {
      const rows = this.clusterRows(uuid, since).map(({ row }) => row);
      const began = rows.findIndex((row) => row?.status.endsWith('_IN_PROGRESS'));
      const last = rows.at(-1);
      if (began >= 0 && last && !last.status.endsWith('_IN_PROGRESS')) return last;
      throw new Error(`its row is ${JSON.stringify(last ?? this.cluster(uuid))}`);
    };
    return waitFor(probe, { what: `the end of an operation on ${uuid}`, timeout, interval: 20 });
  }

  stop(): void {
    this.#child.stdin?.end();
  }
}
