import { describe, expect, test } from 'vitest';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { notesOf, overridesOf, runningCluster, variablesOf } from './running-cluster.ts';

const stage = stageOfFile();

/** An image that the examples do not use; unlike theirs it names no bus for its disks. */
const otherImage = 'ubuntu-2204-kube-v1.31';

function imageId(name: string): string {
  return stage().cloud.state.images.find((image) => image.name === name)?.id ?? '';
}

describe('an upgrade', () => {
  test('gives the topology another version, image and class, and nothing else', async () => {
    const cluster = await runningCluster(stage());
    const before = await cluster.read();
    const event = cluster.magnum.upgrade('v1.34.1', { image_id: otherImage });
    expect(notesOf(await stage().send(event))).toEqual([]);
    const after = await cluster.read();
    expect(after.spec.topology.version).toBe('v1.34.1');
    const image = { imageUUID: imageId(otherImage), hardwareDiskBus: '' };
    expect(variablesOf(after)).toEqual({ ...variablesOf(before), ...image });
    const worker = overridesOf(before, 'default-worker');
    expect(overridesOf(after, 'default-worker')).toEqual({ ...worker, ...image });
    const { classRef } = after.spec.topology;
    await stage().kubernetes.get(resources.clusterClass, { namespace, name: classRef.name });
    const record = readRecord(after.metadata.annotations, null);
    expect(record).toMatchObject({ id: event.id, type: 'cluster.upgrade', completed: null });
    // One master and two workers, half an hour each.
    expect(Date.parse(record?.deadline ?? '') - Date.parse(event.time)).toBe(90 * 60_000);
  });
});
