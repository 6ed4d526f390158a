import { beforeAll, describe, expect, test } from 'vitest';
import type { Plan } from '../../cli/plan/plan-operation.ts';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { notesOf, type RunningCluster, runningCluster } from '../upgrade/running-cluster.ts';
import { expectDryRuns, leavingEverything, planEvent, sharedControlPlane } from './plan-stage.ts';
import { startRecordingProxy } from './recording-proxy.ts';
import { plannedObjects, writtenObjects } from './written-objects.ts';

const stage = stageOfFile();
const otherImage = 'ubuntu-2204-kube-v1.31';

let cluster: RunningCluster;
beforeAll(async () => {
  cluster = await runningCluster(stage());
}, 120_000);

/** Plans an event and then carries it out by the function; expects that what was written is what was planned. */
async function planAndDo(name: FunctionName, event: ExampleEvent, bundle?: string): Promise<Plan> {
  const controlPlane = sharedControlPlane();
  const version = bundle?.match(/-(9\.9\.9-[a-z]+)\.cjs$/)?.[1];
  const plan = await leavingEverything(stage(), () => planEvent(controlPlane, event, version));
  const proxy = await startRecordingProxy(controlPlane);
  const process = await stage().startAnother({ ...proxy, name, ...(bundle === undefined ? {} : { bundle }) });
  const answer = await stage().send(event, process.url);
  await process.stop();
  await proxy.stop();
  expect(plan.faults).toEqual([]);
  expect(plan.stack_id).toBe(acceptedStackId(answer));
  expect(plannedObjects(plan.objects)).toEqual(writtenObjects(proxy.writes));
  expect(plan.notes).toEqual(notesOf(answer));
  return plan;
}

/** What becomes of the machines of each group. */
function fates({ machines }: Plan): Record<string, string> {
  return Object.fromEntries(machines.map(({ nodegroup, action }) => [nodegroup, action]));
}

describe('a plan is what then happens', () => {
  test('of a resize, which rolls nothing', async () => {
    const plan = await planAndDo('resize', cluster.magnum.resize('default-worker', 3));
    expect(fates(plan)).toEqual({ 'default-master': 'none', 'default-worker': 'scale' });
    expect(plan.objects.map(({ kind }) => kind)).toEqual(['Cluster']);
    expect(plan.cloud).toEqual([]);
  });

  test('of an upgrade to another version and image', async () => {
    const plan = await planAndDo('upgrade', cluster.magnum.upgrade('v1.34.1', { image_id: otherImage }));
    expect(fates(plan)).toEqual({ 'default-master': 'replace', 'default-worker': 'replace' });
    expect(plan.machines[0]?.reasons).toEqual(['Kubernetes v1.33.4 → v1.34.1', 'other imageUUID, hardwareDiskBus']);
    await expectDryRuns(sharedControlPlane().auditLogPath, 2);
  });
});
