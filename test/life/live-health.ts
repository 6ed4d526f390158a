import { isDeepStrictEqual } from 'node:util';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterNameLabel, managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { deriveHealth } from '../../shared/status/derive-health.ts';
import { readMachine } from '../../shared/status/views/machine-view.ts';
import { waitFor } from '../env/wait-for.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import type { HealthReport } from '../system/report-log.ts';
import type { SystemStage } from '../system/system-stage.ts';
import { pollEvent } from './conductor-poll.ts';

/** What a report says beside the names of the cluster. */
export type Health = Pick<HealthReport, 'health_status' | 'health_status_reason'>;

/** Milliseconds from what the objects say to what is told of them, on a busy machine. */
const patience = 60_000;

/** Compares what is told of the health of one cluster with what its objects say. */
export class LiveHealth {
  readonly #stage: SystemStage;
  readonly #creation: ExampleEvent;
  readonly #stackId: string;

  constructor(stage: SystemStage, creation: ExampleEvent, stackId: string) {
    this.#stage = stage;
    this.#creation = creation;
    this.#stackId = stackId;
  }

  /**
   * Waits until the objects say so and an event has told it; then a request and a tick have to tell the same.
   * @param since `reports.received.length` before what causes the change
   * @returns milliseconds from the change of the objects to the report
   */
  async toldInAllWays(expected: Health, since: number, timeout = patience): Promise<number> {
    const { reports, local } = this.#stage;
    const what = JSON.stringify(expected);
    const changedAt = await waitFor(() => this.#changedInto(expected), { what, timeout, interval: 200 });
    const told = async (first: number) => this.#told(first, expected);
    const byEvent = await waitFor(() => told(since), { what: `${what} by event`, timeout: patience });
    await this.toldOnRequest(expected);
    const ticked = reports.received.length;
    await local.ping();
    await waitFor(() => told(ticked), { what: `${what} by tick`, timeout: patience });
    return Math.max(0, byEvent - changedAt);
  }

  async toldOnRequest(expected: Health): Promise<void> {
    const { status, data } = await this.#stage.send('health', pollEvent(this.#creation, this.#stackId, 'health'));
    const subject = { cluster_uuid: this.#creation.subject, stack_id: this.#stackId };
    const wanted = { status: 200, data: { ...subject, ...expected } };
    if (!isDeepStrictEqual({ status, data }, wanted)) {
      throw new Error(
        `A request is answered by ${status} ${JSON.stringify(data)} rather than ${JSON.stringify(wanted)}`,
      );
    }
  }

  async #changedInto(expected: Health): Promise<number> {
    const { kubernetes } = this.#stage;
    const cluster = (await kubernetes.find(resources.cluster, { namespace, name: this.#stackId })) ?? null;
    const machines = await listMachines(kubernetes, this.#stackId);
    const health = deriveHealth({ stackId: this.#stackId, cluster, machines }, { uuid: null });
    if (health === null || !isSame(health, expected)) throw new Error(`the objects say ${JSON.stringify(health)}`);
    return performance.now();
  }

  /** When the health was told first, if the last that was told is the expected one. */
  #told(since: number, expected: Health): number {
    const told = this.#stage.reports.received
      .slice(since)
      .flatMap(({ at, report }) =>
        report.kind === 'health' && report.health.stack_id === this.#stackId ? [{ at, health: report.health }] : [],
      );
    const before = told.findLastIndex(({ health }) => !isSame(health, expected));
    const first = told[before + 1];
    if (first === undefined) throw new Error(`the last report is ${JSON.stringify(told.at(-1)?.health)}`);
    return first.at;
  }
}

function isSame(one: Health, other: Health): boolean {
  return (
    one.health_status === other.health_status && isDeepStrictEqual(one.health_status_reason, other.health_status_reason)
  );
}

function listMachines(kubernetes: KubernetesClient, stackId: string): Promise<readonly CustomObject[]> {
  return kubernetes.list(resources.machine, { namespace, labelSelector: `${clusterNameLabel}=${stackId}` });
}

/** A machine of a cluster that is not being deleted. */
export interface StayingMachine {
  readonly name: string;
  /** By which a report names it. */
  readonly key: string;
  readonly isMaster: boolean;
}

export async function stayingMachines(kubernetes: KubernetesClient, stackId: string): Promise<StayingMachine[]> {
  const machines = (await listMachines(kubernetes, stackId)).map(readMachine);
  return machines
    .filter(({ isDeleting }) => !isDeleting)
    .map(({ name, infrastructureName, nodegroup }) => ({
      name,
      key: `${infrastructureName}.Ready`,
      isMaster: nodegroup === 'default-master',
    }));
}
