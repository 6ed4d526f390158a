import {
  type BootContext,
  bootControlPlane,
  bootWorker,
  type InstalledMachine,
  installMachine,
  restartControlPlane,
} from './machine-boot.ts';
import { markReady, markUnreachable, removeNode } from './nodes.ts';
import { createTurns } from './turns.ts';
import type { SimulatedMachine, WorkloadCluster } from './workload-cluster.ts';

interface Machine extends InstalledMachine {
  power: 'booting' | 'on' | 'dead';
}

interface MachinesOptions {
  readonly context: BootContext;
  /** Called when a machine is back. */
  readonly onRevival: () => void;
  readonly onProgress: (line: string) => void;
}

/** Milliseconds after which the cloud controller manager has noticed that a server is gone; it looks every 5 s. */
const cloudControllerDelay = 5_000;

/** Two members must not join etcd at the same time. */
const controlPlaneTurn = ' control plane';

/** The machines of a cluster, by the names of their servers. What happens to one of them happens in the order of the calls. */
export class ClusterMachines implements Pick<WorkloadCluster, 'boot' | 'powerOff' | 'kill' | 'revive'> {
  readonly #context: BootContext;
  readonly #options: MachinesOptions;
  readonly #machines = new Map<string, Machine>();
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #inTurn = createTurns();

  constructor(options: MachinesOptions) {
    this.#context = options.context;
    this.#options = options;
  }

  /** Whether the kubelet of a Node runs. */
  runs(nodeName: string): boolean {
    return [...this.#machines.values()].some(({ run, power }) => run.nodeName === nodeName && power === 'on');
  }

  boot(machine: SimulatedMachine): Promise<void> {
    return this.#inTurn(machine.name, () => this.#boot(machine));
  }

  powerOff(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      const machine = this.#machines.get(name);
      if (machine !== undefined) {
        await this.#cutPower(machine);
        this.#machines.delete(name);
        this.#context.members.forget(machine.run.nodeName);
        this.#removeNodeLater(machine);
      }
    });
  }

  kill(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      const machine = this.#require(name);
      const { api, apiServer } = this.#context;
      await this.#cutPower(machine);
      if (apiServer.running) {
        await markUnreachable(api, machine.run.nodeName);
      }
    });
  }

  revive(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      const machine = this.#require(name);
      if (machine.run.isControlPlane) {
        await restartControlPlane(this.#context, machine);
      }
      machine.power = 'on';
      await markReady(this.#context.api, machine.run.nodeName);
      this.#options.onRevival();
    });
  }

  /** Nothing is done later any more. */
  close(): void {
    for (const timer of this.#timers) {
      clearTimeout(timer);
    }
  }

  async #boot(machine: SimulatedMachine): Promise<void> {
    const installed = await this.#install(machine);
    if (installed.power !== 'booting') {
      return;
    }
    const began = performance.now();
    await (installed.run.isControlPlane
      ? this.#inTurn(controlPlaneTurn, () => bootControlPlane(this.#context, installed))
      : bootWorker(this.#context, installed));
    installed.power = 'on';
    this.#options.onProgress(`${machine.name} is up after ${Math.round((performance.now() - began) / 100) / 10} s`);
  }

  async #install(machine: SimulatedMachine): Promise<Machine> {
    const known = this.#machines.get(machine.name);
    const installed = known ?? { ...(await installMachine(this.#context, machine)), power: 'booting' };
    this.#machines.set(machine.name, installed);
    return installed;
  }

  async #cutPower(machine: Machine): Promise<void> {
    machine.power = 'dead';
    await machine.kubelet.kill();
    if (machine.run.isControlPlane) {
      await this.#context.members.kill(machine.run.nodeName);
    }
    const powered = [...this.#machines.values()].filter(({ power }) => power !== 'dead');
    if (!powered.some(({ run }) => run.isControlPlane)) {
      await this.#context.apiServer.kill();
    }
  }

  #removeNodeLater({ machine, run }: Machine): void {
    const { api, apiServer } = this.#context;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#machines.has(machine.name) && apiServer.running) {
        removeNode(api, run.nodeName).catch((error) => {
          this.#options.onProgress(
            `the Node ${run.nodeName} remains: ${error instanceof Error ? error.message : error}`,
          );
        });
      }
    }, cloudControllerDelay);
    this.#timers.add(timer);
  }

  #require(name: string): Machine {
    const machine = this.#machines.get(name);
    if (machine === undefined) {
      throw new RangeError(`There is no machine ${name}.`);
    }
    return machine;
  }
}
