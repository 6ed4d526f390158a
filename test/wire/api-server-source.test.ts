import { describe, expect, test } from 'vitest';
import { createCluster } from '../functions/created-cluster.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { attackedFunction } from '../host/attacked-function.ts';
import { exchangeBytes, exchangeWire } from './exchange-wire.ts';
import { replyOf } from './reply-of.ts';
import { recordedRequests, recordedStackId, requestsOfLife, sourceRequest } from './source-requests.ts';
import { asGoWrites, type WireRequest } from './wire-request.ts';

const stage = stageOfFile();
const processes = { status: attackedFunction(stage, 'status'), health: attackedFunction(stage, 'health') };
const functionNames = ['status', 'health'] as const;

const recorded = recordedRequests();
const testOfRecord = test.skipIf(recorded === undefined);
const needed = 'needs ../shared/samples/apiserversource-life.jsonl';

/** Calls of the Kubernetes API for events of one cluster that come at once: they share two computations. */
const mostCalls = 30;

/** Has a function answer all at once; gives the replies. */
async function deliver(name: (typeof functionNames)[number], requests: readonly WireRequest[]) {
  const { port } = processes[name]();
  const answers = await Promise.all(requests.map((request) => exchangeWire(port, asGoWrites(request))));
  return answers.map(replyOf).filter((reply) => reply !== undefined);
}

/** The same requests of another cluster, whose name is as long. */
function renamed(requests: readonly WireRequest[], stackId: string): WireRequest[] {
  const rename = (text: string) => text.replaceAll(recordedStackId, stackId);
  return requests.map(({ headers, body }) => ({
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, rename(value)])),
    body: rename(String(body)),
  }));
}

testOfRecord(`what is built here has the shape of the record (${needed})`, () => {
  const shapeOf = ({ headers, body }: WireRequest) => [Object.keys(headers), Object.keys(JSON.parse(String(body)))];
  const built = new Set(requestsOfLife('kube-zzzzz').map((request) => JSON.stringify(shapeOf(request))));
  expect([...built]).toEqual([JSON.stringify(shapeOf(recorded?.[0] ?? { headers: {}, body: '{}' }))]);
  const shapes = new Set(recorded?.map((request) => JSON.stringify(shapeOf(request).map((names) => names.toSorted()))));
  expect(shapes.size).toBe(1);
});

describe.each(functionNames)('the %s function', (name) => {
  testOfRecord(`answers each recorded request of ApiServerSource with a reply or nothing (${needed})`, async () => {
    processes[name]().takeCalls();
    await deliver(name, recorded ?? []);
    expect(processes[name]().takeCalls().length).toBeLessThan(mostCalls);
  });

  testOfRecord(`reports the cluster that the recorded requests name (${needed})`, async () => {
    const { uuid, stackId } = await createCluster(stage());
    const replies = await deliver(name, renamed(recorded ?? [], stackId));
    expect(new Set(replies.map(({ type, subject }) => [type, subject].join(' ')))).toEqual(
      new Set([`org.openstack.magnum.cluster.${name}.v1 ${uuid}`]),
    );
    // Events that come at once share what is computed.
    expect(replies.length).toBeLessThan(10);
  });

  test('answers the requests of a small life in the same shape, and reports the cluster', async () => {
    const { uuid, stackId } = await createCluster(stage());
    processes[name]().takeCalls();
    const replies = await deliver(name, requestsOfLife(stackId));
    for (const reply of replies) {
      expect(reply).toMatchObject({ type: `org.openstack.magnum.cluster.${name}.v1`, subject: uuid });
    }
    expect(replies).not.toEqual([]);
    expect(processes[name]().takeCalls().length).toBeLessThan(mostCalls);
  });

  test('takes a request whose bytes come one by one', async () => {
    const { uuid, stackId } = await createCluster(stage());
    const [cluster] = requestsOfLife(stackId);
    if (cluster === undefined) throw new Error('There is no request.');
    const reply = replyOf(await exchangeBytes(processes[name]().port, asGoWrites(cluster)));
    expect(reply).toMatchObject({ subject: uuid, id: `${cluster.headers['ce-id']}:reply` });
  });

  test.each([
    [
      'without a namespace, whose header is empty',
      { namespace: '', kind: 'Namespace', plural: 'namespaces', name: 'x' },
    ],
    ['of another namespace', { namespace: 'default', kind: 'Cluster', plural: 'clusters', name: 'kube-abcde' }],
    ["that is no cluster's", { kind: 'Machine', plural: 'machines', name: 'somebody-elses' }],
    [
      'with the longest name that there is',
      { kind: 'Machine', plural: 'machines', name: `kube-zzzzz-${'n'.repeat(242)}` },
    ],
  ])('has nothing to say of an object %s', async (_title, object) => {
    const request = sourceRequest({ change: 'update', apiVersion: 'cluster.x-k8s.io/v1beta2', ...object });
    expect(await deliver(name, [request])).toEqual([]);
  });
});
