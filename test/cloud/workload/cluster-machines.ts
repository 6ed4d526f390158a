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
  /** Whether its Node says that its kubelet is silent. */
  markedUnreachable: boolean;
}

interface MachinesOptions {
  readonly context: BootContext;
  /** Called when a machine is back. */
  readonly onRevival: () => void;
  readonly onProgress: (line: string) => void;
}

/** Milliseconds after which the cloud controller manager has noticed that a server is gone; it looks every 5 s. */
const cloudControllerDelay = 5_000;

/** What must not happen twice at the same time: a member that joins etcd, and a look at all machines. */
const turns = { join: ' join', settle: ' settle' } as const;

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
        // First: a machine that is gone does not count towards a quorum.
        this.#machines.delete(name);
        await this.#cutPower(machine);
        this.#context.members.forget(machine.run.nodeName);
        this.#removeNodeLater(machine);
        await this.#settle();
      }
    });
  }

  kill(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      await this.#cutPower(this.#require(name));
      await this.#settle();
    });
  }

  revive(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      const machine = this.#require(name);
      if (machine.run.isControlPlane) {
        restartControlPlane(this.#context, machine);
      }
      machine.power = 'on';
      await this.#settle();
      this.#options.onRevival();
    });
  }

  /** Writes what could not be written while the API server was paused. */
  settleLater(): void {
    this.#settle().catch((error) => this.#tell('Nodes may be shown as they were', error));
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
      ? this.#inTurn(turns.join, () => bootControlPlane(this.#context, installed))
      : bootWorker(this.#context, installed));
    installed.power = 'on';
    this.#options.onProgress(`${machine.name} is up after ${Math.round((performance.now() - began) / 100) / 10} s`);
  }

  async #install(machine: SimulatedMachine): Promise<Machine> {
    const known = this.#machines.get(machine.name);
    const installed = known ?? {
      ...(await installMachine(this.#context, machine)),
      power: 'booting',
      markedUnreachable: false,
    };
    this.#machines.set(machine.name, installed);
    return installed;
  }

  async #cutPower(machine: Machine): Promise<void> {
    machine.power = 'dead';
    await machine.kubelet.kill();
    if (machine.run.isControlPlane) {
      await this.#context.members.kill(machine.run.nodeName);
    }
  }

  /** Lets API server and Nodes follow the machines. */
  #settle(): Promise<void> {
    return this.#inTurn(turns.settle, async () => {
      const { apiServer } = this.#context;
      const controlPlane = [...this.#machines.values()].filter(({ run }) => run.isControlPlane);
      const powered = controlPlane.filter(({ power }) => power !== 'dead');
      if (powered.length === 0) {
        return apiServer.kill();
      }
      if (powered.length * 2 <= controlPlane.length) {
        return apiServer.pause('no quorum');
      }
      // The first machine starts it itself.
      if (powered.some(({ power }) => power === 'on')) {
        await apiServer.start();
        apiServer.resume('no quorum');
        await this.#markNodes();
      }
    });
  }

  async #markNodes(): Promise<void> {
    const { api, apiServer } = this.#context;
    for (const machine of this.#machines.values()) {
      const unreachable = machine.power === 'dead';
      if (apiServer.answers && unreachable !== machine.markedUnreachable) {
        await (unreachable ? markUnreachable(api, machine.run.nodeName) : markReady(api, machine.run.nodeName));
        machine.markedUnreachable = unreachable;
      }
    }
  }

  #removeNodeLater({ machine, run }: Machine): void {
    const { api, apiServer } = this.#context;
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#machines.has(machine.name) && apiServer.running) {
        removeNode(api, run.nodeName).catch((error) => this.#tell(`the Node ${run.nodeName} remains`, error));
      }
    }, cloudControllerDelay);
    this.#timers.add(timer);
  }

  #tell(what: string, error: unknown): void {
    this.#options.onProgress(`${what}: ${error instanceof Error ? error.message : error}`);
  }

  #require(name: string): Machine {
    const machine = this.#machines.get(name);
    if (machine === undefined) {
      throw new RangeError(`There is no machine ${name}.`);
    }
    return machine;
  }
}
