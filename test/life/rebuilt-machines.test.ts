import { expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { cloudStageOfFile } from '../cloud/cloud-stage.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { machineUids } from '../life/machine-uids.ts';
import { notesOf } from '../upgrade/running-cluster.ts';

const stage = cloudStageOfFile();

/** Milliseconds that the real managers get on a busy machine. */
const patience = 240_000;
const shape = { masters: 1, workers: 1, version: 'v1.33.4' } as const;

test('An upgrade rebuilds exactly the machines that it names', { timeout: 900_000 }, async () => {
  const { cloud, kubernetes, send, settled, startAnother, bundleOf, objectsOf } = stage();
  const event = await createEvent(cloud, { workers: { node_count: 1 } });
  const magnum = new MagnumCluster(event);
  const stackId = acceptedStackId(await send(event));
  magnum.created(stackId);
  await settled(stackId, shape, patience);
  const first = await machineUids(kubernetes, stackId);

  // The same version and image, first by this release and then by the next one.
  const bundle = await bundleOf('0.1.1-next', 'upgrade');
  const next = await startAnother({ name: 'upgrade', bundle });
  for (const url of [undefined, next.url]) {
    expect(notesOf(await send(magnum.upgrade('v1.33.4'), url))).toEqual(['No machine is rebuilt.']);
    await settled(stackId, shape, patience);
    expect(await machineUids(kubernetes, stackId)).toEqual(first);
  }

  // Another image alone.
  const image_id = 'ubuntu-2204-kube-v1.31';
  const [note] = notesOf(await send(magnum.upgrade('v1.33.4', { image_id })));
  expect(note).toContain('default-master (imageUUID, hardwareDiskBus); default-worker (imageUUID, hardwareDiskBus)');
  const wanted = cloud.state.images.find(({ name }) => name === image_id)?.id;
  const old = [...first.masters, ...first.workers];
  const probe = async () => {
    const { masters, workers } = await machineUids(kubernetes, stackId);
    const left = [...masters, ...workers].filter((uid) => old.includes(uid));
    if (left.length > 0) throw new Error(`${left.length} machines are the old ones`);
  };
  await waitFor(probe, { what: 'all machines to be rebuilt', timeout: patience });
  await settled(stackId, shape, patience);
  const machines = await objectsOf(resources.openStackMachine, stackId);
  expect(machines.map(({ spec }) => Object(spec['image']).id)).toEqual([wanted, wanted]);
});
