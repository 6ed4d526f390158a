import { expect, test } from 'vitest';
import type { Plan } from '../../cli/plan/plan-operation.ts';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import { workloadConnection } from '../../shared/kubernetes/workload-connection.ts';
import { expectDryRuns, leavingEverything, planEvent } from '../cli/plan-stage.ts';
import { startRecordingProxy } from '../cli/recording-proxy.ts';
import { plannedObjects, writtenObjects } from '../cli/written-objects.ts';
import { cloudStageOfFile } from '../cloud/cloud-stage.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { machineUids } from './machine-uids.ts';

const stage = cloudStageOfFile();

/** Milliseconds that the real managers get on a busy machine. */
const patience = 300_000;
/** What the cloud controller manager's add-on brings, which differs by version; its role cannot be changed in place. */
const binding = { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRoleBinding' };
const bindings: ResourceType<CustomObject & { readonly roleRef?: object }> = {
  ...binding,
  plural: 'clusterrolebindings',
  namespaced: false,
};
const name = 'system:cloud-node-controller';

interface Done {
  readonly plan: Plan;
  /** Whether not one of the machines that there were is left, by nodegroup. */
  readonly rolled: Readonly<Record<string, boolean>>;
}

let magnum: MagnumCluster;
let stackId = '';

/** Plans an operation, has the function carry it out, expects it to write what was planned, and waits until all is well. */
async function planAndDo(name: FunctionName, event: ExampleEvent, version: string): Promise<Done> {
  const { controlPlane, kubernetes, settled, startAnother, send } = stage();
  const plan = await leavingEverything(stage(), () => planEvent(controlPlane, event));
  const before = await machineUids(kubernetes, stackId);
  const proxy = await startRecordingProxy(controlPlane);
  const process = await startAnother({ ...proxy, name });
  acceptedStackId(await send(event, process.url));
  await process.stop();
  await proxy.stop();
  expect(plannedObjects(plan.objects)).toEqual(writtenObjects(proxy.writes));
  const old = new Set(plan.machines.some(({ action }) => action === 'replace') ? Object.values(before).flat() : []);
  const shouldGo = new Set(plan.machines.flatMap(({ action, role }) => (action === 'replace' ? [role] : [])));
  await waitFor(
    async () => {
      const { masters, workers } = await machineUids(kubernetes, stackId);
      const left = [...(shouldGo.has('master') ? masters : []), ...(shouldGo.has('worker') ? workers : [])];
      if (left.some((uid) => old.has(uid))) throw new Error('there are machines that should be replaced');
    },
    { what: 'the planned machines to be replaced', timeout: patience },
  );
  await settled(stackId, { masters: 1, workers: 1, version }, patience);
  const after = await machineUids(kubernetes, stackId);
  const hasRolled = (role: keyof typeof before) => !after[role].some((uid) => before[role].includes(uid));
  return { plan, rolled: { 'default-master': hasRolled('masters'), 'default-worker': hasRolled('workers') } };
}

function replacedGroups({ machines }: Plan): Record<string, boolean> {
  return Object.fromEntries(machines.map(({ nodegroup, action }) => [nodegroup, action === 'replace']));
}

async function withWorkload<T>(work: (workload: KubernetesClient) => Promise<T>): Promise<T> {
  const workload = createKubernetesClient(await workloadConnection(stage().kubernetes, stackId));
  try {
    return await work(workload);
  } finally {
    workload.close();
  }
}

test('a cluster comes up', async () => {
  magnum = new MagnumCluster(await createEvent(stage().cloud, { workers: { node_count: 1 } }));
  stackId = acceptedStackId(await stage().send(magnum.creation));
  magnum.created(stackId);
  await stage().settled(stackId, { masters: 1, workers: 1, version: 'v1.33.4' }, patience);
});

test('a plan names the one nodegroup whose machines are replaced for labels of its nodes', async () => {
  const event = magnum.updateNodegroup('default-worker', { node_labels: { 'example.org/pool': 'one' } });
  const { plan, rolled } = await planAndDo('resize', event, 'v1.33.4');
  expect(replacedGroups(plan)).toEqual({ 'default-master': false, 'default-worker': true });
  expect(rolled).toEqual(replacedGroups(plan));
});

test('a plan of an upgrade lists exactly what then changes, in all three places', async () => {
  const other = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' };
  const foreign = await withWorkload(async (workload) => {
    const read = () => workload.get(bindings, { name });
    const { metadata: _, ...content } = await waitFor(read, { what: 'the add-ons', timeout: patience });
    await workload.delete(bindings, { name });
    return workload.create(bindings, { ...content, metadata: { name }, roleRef: other });
  });
  const event = magnum.upgrade('v1.34.1', { image_id: 'ubuntu-2204-kube-v1.31' });
  await planEvent(stage().controlPlane, event);
  const left = await withWorkload((workload) => workload.get(bindings, { name }));
  expect(left).toEqual(foreign);
  const { plan, rolled } = await planAndDo('upgrade', event, 'v1.34.1');
  expect(replacedGroups(plan)).toEqual({ 'default-master': true, 'default-worker': true });
  expect(rolled).toEqual(replacedGroups(plan));
  expect(plan.machines.map(({ machines }) => machines)).toEqual([1, 1]);
  expect(plan.cloud).toEqual([]);
  expect(plan.workload_objects).toEqual([
    expect.objectContaining({ action: 'delete', kind: binding.kind, name, namespace: null }),
  ]);
  const probe = async () => {
    const live = await withWorkload((workload) => workload.get(bindings, { name }));
    expect(live.metadata?.uid).not.toBe(foreign.metadata?.uid);
    expect(live.roleRef).not.toEqual(other);
  };
  await waitFor(probe, { what: 'the binding to be made anew', timeout: patience });
  await expectDryRuns(stage().controlPlane.auditLogPath, 3);
});
