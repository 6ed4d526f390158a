import { afterAll, beforeAll } from 'vitest';
import * as z from 'zod';
import type { JsonPatchOperation } from '../../shared/kubernetes/kubernetes-object.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { waitFor } from '../env/wait-for.ts';
import { type ClusterChanges, createEvent } from '../functions/create-event.ts';
import { type FunctionStage, startFunctionStage } from '../functions/function-stage.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { type SimulatedCapo, startSimulatedCapo } from './capo/simulated-capo.ts';
import type { SimulatedOpenStack } from './openstack/simulated-openstack.ts';

const condition = z.looseObject({ type: z.string(), status: z.string(), message: z.string().default('') });

const viewed = z.looseObject({
  metadata: z.looseObject({ name: z.string(), generation: z.int().default(0) }),
  spec: z.looseObject({ version: z.string().optional() }).default({}),
  status: z
    .looseObject({
      observedGeneration: z.int().optional(),
      conditions: z.array(condition).default([]),
    })
    .default({ conditions: [] }),
});
export type Viewed = z.infer<typeof viewed>;

/** What a settled cluster is made of. */
export interface ClusterShape {
  readonly masters: number;
  readonly workers: number;
  /** E.g. `v1.34.1`. */
  readonly version: string;
}

/** A control plane with the create function, the simulated cloud and what runs on it. */
export interface CloudStage extends FunctionStage {
  readonly controlPlane: ControlPlane;
  readonly capo: SimulatedCapo;
  /** Creates a cluster by an event and gives its stack id. */
  create(changes: ClusterChanges): Promise<string>;
  /** Changes the Cluster as the driver does: by a JSON Patch. */
  change(stackId: string, operations: readonly JsonPatchOperation[]): Promise<void>;
  /** Waits until Cluster API has made the cluster what it should be, and all of it is well. */
  settled(stackId: string, shape: ClusterShape, timeout: number): Promise<void>;
  /** Objects of the cluster, by the label that Cluster API puts on them. */
  objectsOf(type: ResourceType, stackId: string): Promise<readonly Viewed[]>;
  /** Deletes the Cluster and waits until nothing of it is left. */
  remove(stackId: string, timeout: number): Promise<void>;
}

/**
 * Starts all of it for one test file, on a control plane of its own: the simulated CAPO acts on every cluster there is.
 * @param startCloud starts the OpenStack: `startKeystoneCloud` for one with a real Keystone
 */
export function cloudStageOfFile(startCloud?: () => Promise<SimulatedOpenStack>): () => CloudStage {
  let controlPlane: ControlPlane | undefined;
  let stage: CloudStage | undefined;
  beforeAll(async () => {
    controlPlane = await startControlPlane();
    stage = await startCloudStage(controlPlane, startCloud);
  }, 600_000);
  afterAll(async () => {
    await stage?.stop();
    await controlPlane?.stop();
  }, 120_000);
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}

async function startCloudStage(
  controlPlane: ControlPlane,
  startCloud: (() => Promise<SimulatedOpenStack>) | undefined,
): Promise<CloudStage> {
  const base = await startFunctionStage(controlPlane, {}, startCloud);
  const capo = await startSimulatedCapo({ controlPlane, cloud: base.cloud });
  const { kubernetes } = base;
  const objectsOf: CloudStage['objectsOf'] = async (type, stackId) => {
    const labelSelector = `cluster.x-k8s.io/cluster-name=${stackId}`;
    const objects = await kubernetes.list(type, { namespace, labelSelector });
    return objects.map((object) => viewed.parse(object));
  };
  return {
    ...base,
    controlPlane,
    capo,
    objectsOf,
    create: async (changes) => acceptedStackId(await base.send(await createEvent(base.cloud, changes))),
    change: async (name, operations) => {
      await kubernetes.patch(resources.cluster, { namespace, name }, { operations });
    },
    async settled(name, shape, timeout) {
      const probe = async () => {
        const cluster = viewed.parse(await kubernetes.get(resources.cluster, { namespace, name }));
        const machines = await objectsOf(resources.machine, name);
        const problem = unsettled(cluster, machines, shape);
        if (problem !== undefined) throw new Error(problem);
      };
      await waitFor(probe, { what: `${name} to settle`, timeout });
    },
    async remove(name, timeout) {
      await kubernetes.delete(resources.cluster, { namespace, name });
      const probe = async () => {
        const left = await kubernetes.find(resources.cluster, { namespace, name });
        if (left !== undefined) throw new Error('the Cluster is still there');
      };
      await waitFor(probe, { what: `the end of ${name}`, timeout });
    },
    async stop() {
      await capo.stop();
      await base.stop();
    },
  };
}

const wellConditions = ['TopologyReconciled', 'ControlPlaneAvailable', 'WorkersAvailable', 'Available'];

/** What still differs; undefined where nothing does. */
function unsettled(cluster: Viewed, machines: readonly Viewed[], shape: ClusterShape): string | undefined {
  const masters = machines.filter(({ metadata }) => 'cluster.x-k8s.io/control-plane' in Object(metadata['labels']));
  const counted = `${masters.length} masters and ${machines.length - masters.length} workers`;
  if (masters.length !== shape.masters || machines.length !== shape.masters + shape.workers)
    return `there are ${counted}`;
  const other = machines.find(({ spec }) => spec.version !== shape.version);
  if (other !== undefined) return `${other.metadata.name} has version ${other.spec.version}`;
  if (cluster.status.observedGeneration !== cluster.metadata.generation) return 'the Cluster was not looked at yet';
  for (const type of wellConditions) {
    const found = cluster.status.conditions.find((candidate) => candidate.type === type);
    if (found?.status !== 'True') return `${type} is ${found?.status ?? 'missing'}: ${found?.message ?? ''}`;
  }
  const unready = machines.find(({ status }) => {
    return status.conditions.find(({ type }) => type === 'Ready')?.status !== 'True';
  });
  return unready === undefined ? undefined : `${unready.metadata.name} is not ready`;
}
