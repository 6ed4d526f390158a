import { load } from 'js-yaml';
import { describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import { killAfterEachWrite } from '../functions/killed-function.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';
import { createOriginalAddons } from '../upgrade/original-addons.ts';
import {
  cloudConfigOf,
  credentialsOf,
  expectOneCredential,
  expectSignIn,
  machineParts,
  ownedCluster,
  rotationBy,
  untilRotated,
} from '../upgrade/rotation-stage.ts';

const stage = stageOfFile();

describe('a rotation that is killed right after a write', () => {
  test('of Kubernetes or OpenStack is made good by sending the event again', { timeout: 600_000 }, async () => {
    const killedAfter = await killAfterEachWrite(stage(), 'upgrade', async () => {
      const cluster = await ownedCluster(stage());
      const { stackId, magnum } = cluster;
      await waitForTopology(stage().api, stackId);
      const credential = await cloudConfigOf(stage(), stackId);
      const set = await createOriginalAddons(stage(), { stackId, uuid: magnum.uuid, credential });
      const parts = await machineParts(stage(), stackId);
      return {
        event: await rotationBy(stage().cloud, cluster),
        async check() {
          const { id, record } = await cloudConfigOf(stage(), stackId);
          expect(record.replacedCredentials.map((one) => one.id)).toEqual([credential.id]);
          expect((await credentialsOf(stage().cloud, magnum.uuid)).toSorted()).toEqual([credential.id, id].toSorted());
          await expectSignIn(stage(), stackId);
          expect(await cloudConfIn(set)).toContain(`application-credential-id=${id}`);
          expect(await machineParts(stage(), stackId)).toEqual(parts);
          // The original driver's set tells of a cluster that is up: without it, nothing was ever applied.
          await stage().kubernetes.delete(resources.clusterResourceSet, { namespace, name: set });
          await untilRotated(stage(), cluster);
          await expectOneCredential(stage(), cluster);
        },
      };
    });
    for (const kind of ['leases', '-cloud-config', '-cloud-provider', 'clusters', 'application_credentials']) {
      expect(
        killedAfter.filter((write) => write.includes(kind)),
        kind,
      ).not.toEqual([]);
    }
  });
});

/** The file that Cluster API brings to the workload. */
async function cloudConfIn(set: string): Promise<string> {
  const { data = {} } = await stage().kubernetes.get(resources.secret, { namespace, name: set });
  const manifest = Buffer.from(data['cloud-config-secret.yaml'] ?? '', 'base64').toString();
  return Buffer.from(textAt(load(manifest), 'data', 'cloud.conf') ?? '', 'base64').toString();
}
