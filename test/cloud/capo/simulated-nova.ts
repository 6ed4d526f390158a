import type { CloudState, Server } from '../openstack/state.ts';
import type { FaultRules, FaultTarget } from './fault-rules.ts';
import type { ServerBoot, WorkloadClusters } from './workload-clusters.ts';

/** Milliseconds that Nova takes to remove a server. */
const removalTime = 300;
const noValidHost = 'No valid host was found. There are not enough hosts available.';

export interface SimulatedNovaOptions {
  readonly state: CloudState;
  readonly faults: FaultRules;
  readonly workloads: WorkloadClusters;
  /** Milliseconds from BUILD to ACTIVE. */
  readonly buildTime: number;
}

interface Instance {
  readonly server: Server;
  readonly target: FaultTarget;
  readonly boot: ServerBoot;
  phase: 'building' | 'built' | 'booted' | 'dead' | 'deleting';
}

/** What Nova and its hosts do by themselves with the servers in the state: build, boot and remove them. */
export class SimulatedNova {
  readonly #options: SimulatedNovaOptions;
  readonly #instances = new Map<string, Instance>();
  readonly #timers = new Set<NodeJS.Timeout>();

  constructor(options: SimulatedNovaOptions) {
    this.#options = options;
  }

  /** Builds a server that is in the state, then boots its machine. */
  build(server: Server, target: FaultTarget, boot: ServerBoot): void {
    const instance: Instance = { server, target, boot, phase: 'building' };
    this.#instances.set(server.id, instance);
    this.#later(this.#options.buildTime, () => {
      instance.phase = 'built';
      this.#settle(instance);
    });
  }

  /** Begins to delete a server; it is gone from the state a while later. */
  remove(server: Server): void {
    server.taskState = 'deleting';
    const instance = this.#instances.get(server.id);
    if (instance !== undefined) instance.phase = 'deleting';
    this.#later(removalTime, () => this.#removeNow(server));
  }

  /** Applies the faults as they are now. */
  settle(): void {
    for (const instance of this.#instances.values()) this.#settle(instance);
  }

  stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #settle(instance: Instance): void {
    if (instance.phase === 'deleting') this.#removeNow(instance.server);
    if (instance.phase === 'built') this.#finishBuild(instance);
    if (instance.phase === 'booted' || instance.phase === 'dead') this.#liveOrDie(instance);
  }

  #finishBuild(instance: Instance): void {
    const { server, target, boot } = instance;
    const { faults, workloads } = this.#options;
    if (server.status === 'BUILD') {
      const refused = faults.find('no-valid-host', target);
      if (refused !== undefined) {
        server.status = 'ERROR';
        server.fault = { code: 500, message: refused.message ?? noValidHost, created: new Date().toISOString() };
        return;
      }
      if (faults.find('stays-in-build', target) !== undefined) return;
      server.status = 'ACTIVE';
    }
    if (server.status !== 'ACTIVE' || faults.find('never-joins', target) !== undefined) return;
    instance.phase = 'booted';
    workloads.boot(target.cluster, boot);
    this.#liveOrDie(instance);
  }

  #liveOrDie(instance: Instance): void {
    const { faults, workloads } = this.#options;
    const { cluster } = instance.target;
    const dies = faults.find('dies', instance.target) !== undefined;
    if (dies === (instance.phase === 'dead')) return;
    instance.phase = dies ? 'dead' : 'booted';
    if (dies) workloads.kill(cluster, instance.boot.name);
    else workloads.revive(cluster, instance.boot.name);
  }

  #removeNow(server: Server): void {
    const { state, faults, workloads } = this.#options;
    const instance = this.#instances.get(server.id);
    if (instance !== undefined && faults.find('slow-deletion', instance.target) !== undefined) return;
    state.servers = state.servers.filter(({ id }) => id !== server.id);
    this.#instances.delete(server.id);
    if (instance !== undefined) workloads.powerOff(instance.target.cluster, instance.boot.name);
  }

  #later(milliseconds: number, work: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      work();
    }, milliseconds);
    this.#timers.add(timer);
  }
}
