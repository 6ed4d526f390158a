import { randomUUID } from 'node:crypto';
import type { StatusReport } from '../../shared/status/progress.ts';
import { waitFor } from '../env/wait-for.ts';
import { type ClusterChanges, createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import type { AdoptionStage } from './adoption-of-file.ts';
import type { MagnumRows } from './original-driver.ts';

/** It waits ten seconds for its lock and for the API server, also on a busy machine, and never repeats a write that met another. */
const hurry = /LockTimeoutException|ReadTimeout|the object has been modified/;
const attempts = 5;
/** Milliseconds until machines have come or gone on a busy machine. */
const patience = 300_000;

/** A cluster of the original driver, with Magnum's rows of it. */
export class OriginalCluster {
  readonly uuid: string;
  readonly stackId: string;
  readonly #stage: AdoptionStage;
  readonly #creation: ExampleEvent;

  private constructor(stage: AdoptionStage, creation: ExampleEvent, stackId: string) {
    this.uuid = creation.subject;
    this.stackId = stackId;
    this.#stage = stage;
    this.#creation = creation;
  }

  /** Has the original create a cluster of one master and one worker; its machines come later. */
  static async create(stage: AdoptionStage, changes: ClusterChanges = {}): Promise<OriginalCluster> {
    const template = randomUUID();
    const event = await createEvent(stage.cloud, {
      ...changes,
      cluster: { node_count: 1, cluster_template_id: template, ...changes.cluster },
      // It cannot do without name servers.
      cluster_template: { uuid: template, dns_nameserver: '8.8.8.8', ...changes.cluster_template },
    });
    const rows = await stage.original.order('create', event.data);
    return new OriginalCluster(stage, event, rows.cluster.stack_id ?? '');
  }

  /** Lets the original have a cluster that the functions made, with the rows that Magnum has of it. */
  static async take(stage: AdoptionStage, magnum: MagnumCluster): Promise<OriginalCluster> {
    const rows = await stage.original.order('write', completed(magnum));
    return new OriginalCluster(stage, magnum.creation, rows.cluster.stack_id ?? '');
  }

  /** Has a command carried out by the original driver; what it gave up in a hurry is asked for again, as a user would. */
  async order(command: string, parameters: Readonly<Record<string, unknown>> = {}): Promise<MagnumRows> {
    const { original } = this.#stage;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await original.order(command, { uuid: this.uuid, ...parameters });
      } catch (error) {
        if (attempt === attempts || !hurry.test(String(error))) throw error;
      }
    }
  }

  /** Gives it back to the original once the functions are done with it, with the rows that Magnum has of it then. */
  async takeBack(magnum: MagnumCluster): Promise<void> {
    await this.order('write', completed(magnum));
  }

  /** What a user would ask Magnum for to get another nodegroup of one machine. */
  nodegroup(name: string): Readonly<Record<string, unknown>> {
    const worker = this.#creation.data.nodegroups.find(({ role }) => role === 'worker');
    const { id: _, ...fields } = { ...worker };
    return { ...fields, uuid: randomUUID(), name, role: 'worker', is_default: false, node_count: 1, labels: {} };
  }

  /** Lets Magnum ask the original again and again until it says so. */
  synchronised(status: string): Promise<MagnumRows> {
    const probe = async () => {
      const rows = await this.order('synchronise');
      if (rows.cluster.status === status) return rows;
      throw new Error(`it is ${rows.cluster.status}: ${rows.cluster.status_reason}`);
    };
    return waitFor(probe, { what: `${status} of ${this.stackId} by the original`, timeout: patience, interval: 1_000 });
  }

  /** Has the original delete it, and lets Magnum ask until it is gone. */
  async deleted(): Promise<void> {
    await this.order('delete');
    const probe = async () => {
      const rows = await this.#stage.original.ask('synchronise', { uuid: this.uuid });
      if (rows !== null) throw new Error(`it is ${rows.cluster.status}: ${rows.cluster.status_reason}`);
    };
    await waitFor(probe, { what: `the end of ${this.stackId} by the original`, timeout: patience, interval: 1_000 });
  }

  /** Waits until the functions report, by an event, that all of it is as it should be. */
  reportedComplete(): Promise<StatusReport> {
    const matches = ({ state }: StatusReport) => state === 'COMPLETE';
    return this.#stage.reports.status(this.stackId, { what: 'COMPLETE', matches, timeout: patience });
  }

  /** The same cluster once Magnum sends its events to the functions, with the rows that the original left. */
  async handOver(): Promise<MagnumCluster> {
    const rows = await this.order('show');
    const magnum = new MagnumCluster({ ...this.#creation, data: { ...this.#creation.data, ...rows } });
    magnum.created(this.stackId);
    return magnum;
  }
}

/** The rows once Magnum has taken the report of the last operation's end. */
function completed(magnum: MagnumCluster): ReturnType<MagnumCluster['rows']> {
  const { cluster, cluster_template, nodegroups } = magnum.rows();
  const status = 'UPDATE_COMPLETE';
  return {
    cluster: { ...cluster, status },
    cluster_template,
    nodegroups: nodegroups.map((row) => ({ ...row, status })),
  };
}
