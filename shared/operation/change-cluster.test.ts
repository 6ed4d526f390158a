import { afterEach, describe, expect, test, vi } from 'vitest';
import { createKubernetesClient } from '../kubernetes/client.ts';
import { createClusterRepository } from '../kubernetes/cluster-repository.ts';
import { type LiveCluster, parseLiveCluster } from '../kubernetes/live-cluster.ts';
import { instantClock } from '../kubernetes/testing/instant-clock.ts';
import {
  type ScriptedAnswer,
  type ScriptedServer,
  startScriptedServer,
} from '../kubernetes/testing/scripted-server.ts';
import { changeCluster } from './change-cluster.ts';
import { liveObject } from './testing/live-object.ts';

const conflict: ScriptedAnswer = { status: 409, body: { kind: 'Status', reason: 'Conflict', message: 'changed' } };

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

interface Run {
  readonly answers: readonly ScriptedAnswer[];
  readonly plan?: (cluster: LiveCluster) => readonly [] | readonly { op: 'add'; path: string; value: string }[];
  readonly proceed?: () => void;
}

/** Changes a Cluster of version 1; each reading finds the next version. */
async function change({ answers, plan, proceed = () => {} }: Run): Promise<LiveCluster> {
  server = await startScriptedServer({ answers });
  const kubernetes = createKubernetesClient({ server: server.url }, { clock: instantClock() });
  let version = 1;
  const versions = () => parseLiveCluster(liveObject({ version: `${version++}` }));
  try {
    return await changeCluster(
      {
        repository: createClusterRepository(kubernetes),
        proceed,
        reload: async () => versions(),
        plan: plan ?? (({ metadata }) => [{ op: 'add', path: '/spec/x', value: metadata.resourceVersion }]),
      },
      versions(),
    );
  } finally {
    kubernetes.close();
  }
}

const written: ScriptedAnswer = { status: 200, body: liveObject({ version: '9' }) };

function sent() {
  return server?.requests.map(({ body }) => JSON.parse(body).at(-1).value);
}

describe('a change of a Cluster', () => {
  test('is based on the version that it was planned for', async () => {
    expect((await change({ answers: [written] })).metadata.resourceVersion).toBe('9');
    expect(JSON.parse(server?.requests[0]?.body ?? '')).toEqual([
      { op: 'replace', path: '/metadata/resourceVersion', value: '1' },
      { op: 'add', path: '/spec/x', value: '1' },
    ]);
  });

  test('is planned anew for each version that another has written meanwhile', async () => {
    await change({ answers: [conflict, conflict, written] });
    expect(sent()).toEqual(['1', '2', '3']);
  });

  test('is given up after five versions, and the sender may try again', async () => {
    await expect(change({ answers: Array<ScriptedAnswer>(6).fill(conflict) })).rejects.toMatchObject({ status: 429 });
    expect(server?.requests).toHaveLength(5);
  });

  test('costs no call where nothing is left to change', async () => {
    await change({ answers: [], plan: () => [] });
    expect(server?.requests).toEqual([]);
  });

  test('stops before the write that it may not make any more', async () => {
    const proceed = vi.fn<() => void>().mockImplementation(() => {
      throw new Error('the Lease is lost');
    });
    await expect(change({ answers: [written], proceed })).rejects.toThrow('the Lease is lost');
    expect(server?.requests).toEqual([]);
  });

  test("that Cluster API's webhook refuses is a rejection in its words", async () => {
    const body = { kind: 'Status', reason: 'Invalid', message: 'the version may not go down' };
    await expect(change({ answers: [{ status: 422, body }] })).rejects.toMatchObject({
      status: 200,
      message: expect.stringContaining('the version may not go down'),
    });
  });
});
