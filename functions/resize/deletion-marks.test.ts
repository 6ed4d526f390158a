import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createKubernetesClient, type KubernetesClient } from '../../shared/kubernetes/client.ts';
import { ConflictError } from '../../shared/kubernetes/errors.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { ObjectStore } from '../status/testing/object-store.ts';
import { markMachines } from './deletion-marks.ts';
import { deletionMark, listNodeMachines, type NodeMachine } from './node-machine.ts';

const name = 'kube-abcde-gpu-1';
const labels = { 'cluster.x-k8s.io/cluster-name': 'kube-abcde' };

let store: ObjectStore;
let kubernetes: KubernetesClient;
beforeEach(async () => {
  store = await ObjectStore.start();
  kubernetes = createKubernetesClient({ server: store.url, token: async () => 'token' });
});
afterEach(async () => {
  kubernetes.close();
  await store.stop();
});

/** The machine as a resize reads it, before others write it. */
async function readMachine(metadata: object = {}): Promise<readonly NodeMachine[]> {
  store.put(resources.machine, { metadata: { name, labels, ...metadata } });
  return listNodeMachines(kubernetes, 'kube-abcde', []);
}

const mark = (machines: readonly NodeMachine[]) =>
  markMachines({ kubernetes, proceed: () => undefined, eventId: 'event' }, machines);
const annotations = () => store.find(resources.machine, name)?.metadata.annotations;
const patches = () => store.calls.filter((call) => call.startsWith('PATCH'));

describe('a machine that is to be marked', () => {
  test('is read again where others have written it since it was read', async () => {
    const machines = await readMachine();
    store.put(resources.machine, { metadata: { name, labels } });
    await mark(machines);
    expect(annotations()).toEqual({ [deletionMark]: 'event' });
  });

  test('keeps the annotations that it got meanwhile', async () => {
    const machines = await readMachine();
    store.put(resources.machine, { metadata: { name, labels, annotations: { other: 'yes' } } });
    await mark(machines);
    expect(annotations()).toEqual({ other: 'yes', [deletionMark]: 'event' });
  });

  test('needs no second reading where only its state has changed', async () => {
    const machines = await readMachine({ annotations: { other: 'yes' } });
    store.put(resources.machine, { metadata: { name, labels, annotations: { other: 'yes' } } });
    await mark(machines);
    expect([annotations(), patches()]).toEqual([{ other: 'yes', [deletionMark]: 'event' }, [expect.anything()]]);
  });

  test('is given up after five versions', async () => {
    const machines = await readMachine();
    store.intercept = async (call) => (call.startsWith('PATCH') ? 409 : undefined);
    await expect(mark(machines)).rejects.toBeInstanceOf(ConflictError);
    expect(patches()).toHaveLength(5);
  });

  test('is left alone where its name is another machine by now', async () => {
    const machines = await readMachine();
    store.remove(resources.machine, name);
    store.put(resources.machine, { metadata: { name, labels } });
    await expect(mark(machines)).rejects.toBeInstanceOf(ConflictError);
    expect(annotations()).toBeUndefined();
  });
});
