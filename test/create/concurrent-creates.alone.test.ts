import { describe, expect, test } from 'vitest';
import { findAddons } from '../../shared/kubernetes/addon-objects.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import { secretsOf } from '../functions/live-objects.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { waitForTopology } from '../functions/topology.ts';

const stage = stageOfFile();

describe('creates at once', () => {
  test('of twenty clusters all succeed, although none finds the class there', { timeout: 300_000 }, async () => {
    const newRelease = await stage().startAnother({ bundle: await stage().bundleOf('0.1.0-twenty') });
    const events = await Promise.all(Array.from({ length: 20 }, () => createEvent(stage().cloud)));
    const answers = events.map((event) => stage().sendOnce(event, newRelease.url));
    const names = (await Promise.all(answers)).map(acceptedStackId);
    expect(new Set(names).size).toBe(20);
    await Promise.all(names.map((name) => waitForTopology(stage().api, name)));
  });

  test('of the same cluster by two processes make one set of objects', async () => {
    const other = await stage().startAnother();
    const event = await createEvent(stage().cloud);
    const answers = [stage().send(event), stage().send(event, other.url)];
    const names = (await Promise.all(answers)).map(acceptedStackId);
    expect(new Set(names).size).toBe(1);
    const [name = ''] = names;
    expect(
      await stage().kubernetes.list(resources.cluster, { namespace, labelSelector: `cluster-uuid=${event.subject}` }),
    ).toHaveLength(1);
    const { secrets: addons } = await findAddons(stage().kubernetes, name);
    expect(addons.length).toBeGreaterThan(0);
    expect(await secretsOf(stage().kubernetes, name)).toHaveLength(5 + addons.length);
    const { applicationCredentials, serverGroups } = stage().cloud.state;
    expect(applicationCredentials.filter((one) => one.name.startsWith(event.subject))).toHaveLength(1);
    expect(serverGroups.filter((group) => group.name.startsWith(name))).toHaveLength(2);
  });
});
