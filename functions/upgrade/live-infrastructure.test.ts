import { afterEach, describe, expect, test } from 'vitest';
import { createKubernetesClient } from '../../shared/kubernetes/client.ts';
import { parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { type ScriptedServer, startScriptedServer } from '../../shared/kubernetes/testing/scripted-server.ts';
import { liveInfrastructure } from './live-infrastructure.ts';

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function found(names: readonly string[], reference?: string) {
  const items = names.map((name) => ({ metadata: { name }, spec: spec(name) }));
  server = await startScriptedServer({ answers: [{ status: 200, body: { metadata: {}, items } }] });
  const kubernetes = createKubernetesClient({ server: server.url });
  const infrastructureRef = reference === undefined ? {} : { infrastructureRef: { name: reference } };
  const cluster = parseLiveCluster({
    metadata: { name: 'kube-abcde', uid: 'u', resourceVersion: '1' },
    spec: { topology: { classRef: { name: 'c' }, version: 'v1.33.4' }, ...infrastructureRef },
  });
  try {
    return await liveInfrastructure({ kubernetes }, cluster);
  } finally {
    kubernetes.close();
  }
}

function spec(name: string) {
  return { externalNetwork: { id: name }, network: name === 'odd' ? { filter: { name: 'x' } } : { id: 'network' } };
}

describe('the OpenStackCluster of a cluster', () => {
  test.each<[string, readonly string[], string | undefined, string | null]>([
    ['is the one that the Cluster refers to', ['a', 'b'], 'b', 'b'],
    ['is the only one where the Cluster refers to none yet', ['a'], undefined, 'a'],
    ['is the only one where the one referred to is gone', ['a'], 'b', 'a'],
    ['is none before Cluster API has made it', [], undefined, null],
  ])('%s', async (_title, names, reference, expected) => {
    expect((await found(names, reference))?.externalNetwork.id ?? null).toBe(expected);
  });

  test('is asked for by the name of its cluster', async () => {
    await found(['a']);
    expect(server?.requests[0]?.path).toContain(
      `labelSelector=${encodeURIComponent('cluster.x-k8s.io/cluster-name=kube-abcde')}`,
    );
  });

  test('that may be one of several is refused', async () => {
    await expect(found(['a', 'b'])).rejects.toMatchObject({
      code: 'ambiguous',
      message: 'Cluster kube-abcde has 2 OpenStackClusters.',
    });
  });

  test('with what the class cannot keep is refused', async () => {
    await expect(found(['odd'])).rejects.toMatchObject({
      code: 'unsupported',
      message:
        "The driver's class cannot keep spec.network.filter of OpenStackCluster odd as it is, and CAPO lets nobody change it.",
    });
  });
});
