import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createEventSender } from '../../local/event/event-sender.ts';
import { knativeObjects } from '../../local/manifests/knative-objects.ts';
import { readManifests } from '../../local/manifests/read-manifests.ts';
import { type RunningSource, startApiServerSource } from '../../local/source/api-server-source.ts';
import { type SubscriberUnderTest, startSubscriber } from '../../local/testing/subscriber.ts';
import { createLogger } from '../../shared/host/logger.ts';
import { loadKubeConfig } from '../../shared/kubernetes/kubeconfig-connection.ts';
import { managedApiOfFile, ofMagnum } from './managed-api.ts';

const managed = managedApiOfFile();
const [source] = knativeObjects(await readManifests()).apiServerSources;

let sink: SubscriberUnderTest;
let running: RunningSource | undefined;
beforeEach(async () => {
  sink = await startSubscriber();
});
afterEach(async () => {
  running?.pause();
  await sink.close();
});

async function start(): Promise<void> {
  if (source === undefined) throw new Error('knative/ has no ApiServerSource.');
  const logger = createLogger({ level: 'silent' });
  running = await startApiServerSource({
    source,
    config: loadKubeConfig({ path: managed().kubeconfigPath }),
    send: createEventSender({ sink: sink.url, namespace: source.metadata.namespace, logger }),
    logger,
  });
}

/** Type and name of each event that has come. */
function told(): readonly string[] {
  return sink.events.map(({ headers }) => `${String(headers['ce-type']).split('.').at(-1)} ${headers['ce-name']}`);
}

test('the source tells what happens from its start on and nothing of what was there', async () => {
  await managed().createCluster('kube-aaaaa');
  await start();
  await managed().label('kube-aaaaa', { ...ofMagnum, changed: 'once' });
  await managed().createCluster('kube-bbbbb');
  await managed().deleteCluster('kube-bbbbb');
  await sink.received(3);
  expect(told()).toEqual(['update kube-aaaaa', 'add kube-bbbbb', 'delete kube-bbbbb']);
});

test('an object that gets or loses the label of the source appears or is gone', async () => {
  await managed().createCluster('kube-ccccc', {});
  await start();
  await managed().label('kube-ccccc', { other: 'label' });
  await managed().label('kube-ccccc', ofMagnum);
  await managed().label('kube-ccccc', {});
  await sink.received(2);
  expect(told()).toEqual(['add kube-ccccc', 'delete kube-ccccc']);
});

test('what happens during a pause is never told', async () => {
  await managed().createCluster('kube-ddddd');
  await start();
  running?.pause();
  await managed().label('kube-ddddd', { ...ofMagnum, changed: 'unseen' });
  await running?.resume();
  await managed().label('kube-ddddd', { ...ofMagnum, changed: 'seen' });
  await sink.received(1);
  await managed().deleteCluster('kube-ddddd');
  await sink.received(2);
  expect(told()).toEqual(['update kube-ddddd', 'delete kube-ddddd']);
});

const recording = fileURLToPath(new URL('../../../shared/samples/apiserversource-life.jsonl', import.meta.url));

test.skipIf(!existsSync(recording))('an event has the headers and the body of the real source', async () => {
  const [line = ''] = readFileSync(recording, 'utf8').split('\n');
  const recorded = JSON.parse(line);
  await start();
  await managed().createCluster('kube-eeeee');
  await sink.received(1);
  const [event] = sink.events;
  const own = (headers: object) =>
    Object.keys(headers).filter((name) => name.startsWith('ce-') || ['content-type', 'kn-namespace'].includes(name));
  expect(own(event?.headers ?? {}).toSorted()).toEqual(own(recorded.headers).toSorted());
  expect(event?.headers).toMatchObject({
    'ce-specversion': '1.0',
    'ce-source': managed().server,
    'ce-subject': '/apis/cluster.x-k8s.io/v1beta2/namespaces/magnum-system/clusters/kube-eeeee',
    'ce-apiversion': 'cluster.x-k8s.io/v1beta2',
    'ce-kind': 'Cluster',
    'ce-namespace': 'magnum-system',
    'kn-namespace': 'magnum-system',
  });
  expect(event?.body).toBe(recorded.body.replace('kube-abcde', 'kube-eeeee'));
});
