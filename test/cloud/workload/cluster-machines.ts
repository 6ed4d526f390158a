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
import type { WorkloadCluster } from './workload-cluster.ts';

/** The machines of a cluster, by the names of their servers. */
export interface ClusterMachines extends Pick<WorkloadCluster, 'boot' | 'powerOff' | 'kill' | 'revive'> {
  /** Whether the kubelet of a Node runs. */
  runs(nodeName: string): boolean;
  /** Nothing is done later any more. */
  close(): void;
}

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

export function createClusterMachines({ context, onRevival, onProgress }: MachinesOptions): ClusterMachines {
  const { api, apiServer, members } = context;
  const machines = new Map<string, Machine>();
  const timers = new Set<NodeJS.Timeout>();
  const inTurn = createTurns();

  const install = async (...[machine]: Parameters<WorkloadCluster['boot']>): Promise<Machine> => {
    const installed = machines.get(machine.name) ?? { ...(await installMachine(context, machine)), power: 'booting' };
    machines.set(machine.name, installed);
    return installed;
  };
  const cutPower = async (machine: Machine) => {
    machine.power = 'dead';
    await machine.kubelet.kill();
    if (machine.run.isControlPlane) {
      await members.kill(machine.run.nodeName);
    }
    if (![...machines.values()].some(({ run, power }) => run.isControlPlane && power !== 'dead')) {
      await apiServer.kill();
    }
  };
  const forgetNode = (machine: Machine) => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (!machines.has(machine.machine.name) && apiServer.running) {
        removeNode(api, machine.run.nodeName).catch((error) => {
          onProgress(`the Node ${machine.run.nodeName} remains: ${error instanceof Error ? error.message : error}`);
        });
      }
    }, cloudControllerDelay);
    timers.add(timer);
  };
  const require = (name: string): Machine => {
    const machine = machines.get(name);
    if (machine === undefined) {
      throw new RangeError(`There is no machine ${name}.`);
    }
    return machine;
  };

  return {
    runs: (nodeName) => [...machines.values()].some(({ run, power }) => run.nodeName === nodeName && power === 'on'),
    boot: (machine) =>
      inTurn(machine.name, async () => {
        const installed = await install(machine);
        if (installed.power !== 'booting') {
          return;
        }
        const began = performance.now();
        await (installed.run.isControlPlane
          ? inTurn(controlPlaneTurn, () => bootControlPlane(context, installed))
          : bootWorker(context, installed));
        installed.power = 'on';
        onProgress(`${machine.name} is up after ${Math.round((performance.now() - began) / 100) / 10} s`);
      }),
    powerOff: (name) =>
      inTurn(name, async () => {
        const machine = machines.get(name);
        if (machine === undefined) {
          return;
        }
        await cutPower(machine);
        machines.delete(name);
        members.forget(machine.run.nodeName);
        forgetNode(machine);
      }),
    kill: (name) =>
      inTurn(name, async () => {
        const machine = require(name);
        await cutPower(machine);
        if (apiServer.running) {
          await markUnreachable(api, machine.run.nodeName);
        }
      }),
    revive: (name) =>
      inTurn(name, async () => {
        const machine = require(name);
        if (machine.run.isControlPlane) {
          await restartControlPlane(context, machine);
        }
        machine.power = 'on';
        await markReady(api, machine.run.nodeName);
        onRevival();
      }),
    close: () => {
      for (const timer of timers) {
        clearTimeout(timer);
      }
    },
  };
}
