import { describe, expect, test } from 'vitest';
import { findAddons } from '../../shared/kubernetes/addon-objects.ts';
import { filesOf } from '../../shared/kubernetes/addon-sets.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { findCloudConfig } from '../../shared/render/addons/cloud-conf/move-manifests.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { listAt, textAt } from '../../shared/status/views/json-part.ts';
import { createEvent } from '../functions/create-event.ts';
import { killAfterEachWrite } from '../functions/killed-function.ts';
import { secretsOf } from '../functions/live-objects.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';

/** So that the create has every kind of write. */
const autoscaled = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };

const stage = stageOfFile();

describe('a function that is killed right after a write', () => {
  test('of Kubernetes or OpenStack is made good by sending the event again', { timeout: 600_000 }, async () => {
    const killedAfter = await killAfterEachWrite(stage(), 'create', async (attempt) => {
      const event = await createEvent(stage().cloud, { labels: autoscaled });
      // A release of its own, so that each attempt makes the class anew.
      const bundle = await stage().bundleOf(`0.1.0-crash-${attempt}`);
      return { event, bundle, check: (stackId) => checkObjects(event.subject, stackId) };
    });
    for (const kind of [
      'leases',
      'secrets',
      'clusterresourcesets',
      'clusterclasses',
      'clusters',
      'deployments',
      'os-server-groups',
      'application_credentials',
    ]) {
      expect(
        killedAfter.filter((write) => write.includes(kind)),
        kind,
      ).not.toEqual([]);
    }
  });
});

/** Exactly one of each thing is there in the end. */
async function checkObjects(uuid: string, name: string): Promise<void> {
  const ours = await secretsOf(stage().kubernetes, name);
  const { set, secrets: addons } = await findAddons(stage().kubernetes, name);
  expect(ours).toHaveLength(5 + addons.length);
  expect(
    listAt(set, 'spec', 'resources')
      .map((one) => textAt(one, 'name'))
      .toSorted(),
  ).toEqual(addons.map(({ metadata }) => metadata.name).toSorted());
  const { serverGroups, applicationCredentials } = stage().cloud.state;
  const credentials = applicationCredentials.filter((one) => one.name.startsWith(uuid));
  expect(credentials).toHaveLength(1);
  expect(serverGroups.filter((group) => group.name.startsWith(name))).toHaveLength(2);
  const cloudConfig = ours.find(({ metadata }) => metadata?.name === `${name}-cloud-config`);
  const cloudsYaml = Buffer.from(cloudConfig?.data?.['clouds.yaml'] ?? '', 'base64').toString('utf8');
  expect(cloudsYaml).toContain(credentials[0]?.secret);
  const files = addons.flatMap((secret) => Object.values(filesOf(secret)));
  expect(findCloudConfig(Object.fromEntries(files.entries()))?.cloudConf).toContain(credentials[0]?.secret);
  const cluster = await stage().kubernetes.get(resources.cluster, { namespace, name });
  await stage().kubernetes.get(resources.deployment, { namespace, name: `${name}-autoscaler` });
  const { classRef } = (cluster.spec as { topology: { classRef: { name: string } } }).topology;
  await stage().kubernetes.get(resources.clusterClass, { namespace, name: classRef.name });
}
