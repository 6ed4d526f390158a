import { describe, expect, test } from 'vitest';
import { findEntry, parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import { createCluster } from '../functions/created-cluster.ts';
import { failEachCall } from '../functions/faulty-calls.ts';
import type { MagnumCluster } from '../functions/magnum-cluster.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';

const stage = stageOfFile();

/** Of the API server and of OpenStack's services. */
const statuses = [403, 409, 500];

/** A cluster that exists as far as Cluster API can bring it without machines. */
async function newCluster(): Promise<MagnumCluster> {
  return (await createCluster(stage(), { workers: { node_count: 1 } })).magnum;
}

async function liveCluster(name: string) {
  return parseLiveCluster(await stage().kubernetes.get(resources.cluster, { namespace, name }));
}

describe.each(statuses)('a call that is answered with %i delays an operation, and nothing is lost:', (status) => {
  test('create', async () => {
    const failed = await failEachCall(stage(), {
      name: 'create',
      status,
      next: () => createEvent(stage().cloud, { workers: { node_count: 1 } }),
      check: async (stackId) => expect((await liveCluster(stackId)).metadata.name).toBe(stackId),
    });
    expect(failed.length).toBeGreaterThan(10);
  });

  test('resize', async () => {
    const magnum = await newCluster();
    let count = 1;
    const failed = await failEachCall(stage(), {
      name: 'resize',
      status,
      async next() {
        count += 1;
        return magnum.resize('default-worker', count);
      },
      check: async (stackId) =>
        expect(findEntry(await liveCluster(stackId), 'default-worker')?.entry.replicas).toBe(count),
    });
    expect(failed.length).toBeGreaterThan(2);
  });

  test('nodegroup create, and then delete', async () => {
    const magnum = await newCluster();
    const names: string[] = [];
    const created = await failEachCall(stage(), {
      name: 'create',
      status,
      async next() {
        names.push(`group-${names.length}`);
        return magnum.createNodegroup(names.at(-1) ?? '', { node_count: 1 });
      },
      check: async (stackId) => expect(findEntry(await liveCluster(stackId), names.at(-1) ?? '')).not.toBeNull(),
    });
    expect(created.length).toBeGreaterThan(5);
    let deleted = '';
    const failed = await failEachCall(stage(), {
      name: 'delete',
      status,
      async next() {
        deleted = names.shift() ?? '';
        return magnum.deleteNodegroup(deleted);
      },
      check: async (stackId) => expect(findEntry(await liveCluster(stackId), deleted)).toBeNull(),
    });
    expect(failed.length).toBeGreaterThan(2);
  });

  test('nodegroup update', async () => {
    const magnum = await newCluster();
    let pool = 0;
    await failEachCall(stage(), {
      name: 'resize',
      status,
      async next() {
        pool += 1;
        return magnum.updateNodegroup('default-worker', { node_labels: { 'example.org/pool': `p${pool}` } });
      },
      async check(stackId) {
        const overrides = findEntry(await liveCluster(stackId), 'default-worker')?.entry.variables?.overrides;
        expect(overrides).toContainEqual({ name: 'nodeLabels', value: `example.org/pool=p${pool}` });
      },
    });
  });

  test('upgrade', async () => {
    const magnum = await newCluster();
    const failed = await failEachCall(stage(), {
      name: 'upgrade',
      status,
      next: async () => magnum.upgrade('v1.33.4'),
      async check(stackId, event) {
        const { annotations } = (await liveCluster(stackId)).metadata;
        expect(annotations?.['magnum.openstack.org/operation']).toContain(event.id);
      },
    });
    expect(failed.length).toBeGreaterThan(6);
  });

  test('credential rotation', async () => {
    const magnum = await newCluster();
    const userId = stage().cloud.state.users.find(({ name }) => name === 'demo')?.id ?? '';
    const failed = await failEachCall(stage(), {
      name: 'upgrade',
      status,
      next: async () =>
        magnum.rotateCredential({ token: stage().cloud.issueToken({ user: 'demo', project: 'demo' }), userId }),
      async check(stackId) {
        const secret = await stage().kubernetes.get(resources.secret, { namespace, name: `${stackId}-cloud-config` });
        const cloudsYaml = Buffer.from(secret.data?.['clouds.yaml'] ?? '', 'base64').toString('utf8');
        const { applicationCredentials } = stage().cloud.state;
        expect(applicationCredentials.filter(({ secret: own }) => cloudsYaml.includes(own))).toHaveLength(1);
      },
    });
    expect(failed.length).toBeGreaterThan(6);
  });

  test('delete', async () => {
    const failed = await failEachCall(stage(), {
      name: 'delete',
      status,
      next: async () => (await newCluster()).delete(),
      async check(_stackId, { subject }) {
        const labelSelector = `cluster-uuid=${subject}`;
        const clusters = await stage().kubernetes.list(resources.cluster, { namespace, labelSelector });
        for (const { metadata } of clusters) expect(metadata?.deletionTimestamp).toBeDefined();
      },
    });
    expect(failed.length).toBeGreaterThan(5);
  });
});
