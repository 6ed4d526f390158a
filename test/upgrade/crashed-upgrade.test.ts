import { describe, expect, test } from 'vitest';
import { parseLiveCluster } from '../../shared/kubernetes/live-cluster.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import { killAfterEachWrite } from '../functions/killed-function.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';

/** So that the upgrade has every kind of write. */
const autoscaled = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };

const otherImage = 'ubuntu-2204-kube-v1.31';
const otherRepository = 'registry.example.org/elsewhere';

const stage = stageOfFile();

describe('an upgrade that is killed right after a write', () => {
  test('is made good by sending the event again', { timeout: 600_000 }, async () => {
    const killedAfter = await killAfterEachWrite(stage(), 'upgrade', async (attempt) => {
      const creation = await createEvent(stage().cloud, { labels: autoscaled });
      const name = acceptedStackId(await stage().send(creation));
      const magnum = new MagnumCluster(creation);
      magnum.created(name);
      const { serverGroups } = stage().cloud.state;
      const index = serverGroups.findIndex((group) => group.name === `${name}-default-worker`);
      serverGroups.splice(index, 1);
      // Another version would have to wait until the cluster is up.
      const upgrade = magnum.upgrade('v1.33.4', { image_id: otherImage });
      const options = { auto_scaling: { image_repository: otherRepository } };
      const event = { ...upgrade, data: { ...upgrade.data, options } };
      // A release of its own, so that each attempt makes the class anew.
      const bundle = await stage().bundleOf(`0.1.0-crash-${attempt}`, 'upgrade');
      return { event, bundle, check: (stackId) => checkObjects(event.id, stackId) };
    });
    for (const kind of ['leases', 'clusterclasses', '/clusters/', 'deployments', '-cloud-config', 'os-server-groups']) {
      expect(
        killedAfter.filter((write) => write.includes(kind)),
        kind,
      ).not.toEqual([]);
    }
  });
});

async function checkObjects(id: string, name: string): Promise<void> {
  const { kubernetes, cloud } = stage();
  const { metadata, spec } = parseLiveCluster(await kubernetes.get(resources.cluster, { namespace, name }));
  const image = cloud.state.images.find((found) => found.name === otherImage);
  expect(spec.topology.variables).toContainEqual({ name: 'imageUUID', value: image?.id });
  expect(readRecord(metadata.annotations, null)).toMatchObject({ id, completed: null });
  await kubernetes.get(resources.clusterClass, { namespace, name: spec.topology.classRef.name });
  const deployment = await kubernetes.get(resources.deployment, { namespace, name: `${name}-autoscaler` });
  expect(JSON.stringify(deployment.spec)).toContain(otherRepository);
  const groups = cloud.state.serverGroups.filter((group) => group.name.startsWith(name));
  expect(groups).toHaveLength(2);
  const secret = await kubernetes.get(resources.secret, { namespace, name: `${name}-cloud-config` });
  for (const { id: group } of groups) expect(JSON.stringify(secret.metadata?.annotations)).toContain(group);
}
