import { beforeAll, describe, expect, test } from 'vitest';
import { repairAutoscaler } from '../../functions/status/autoscaler.ts';
import { autoscalerNames } from '../../shared/kubernetes/autoscaler.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import { createEvent } from '../functions/create-event.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';

const stage = stageOfFile();

const labels = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };

let stackId = '';
beforeAll(async () => {
  stackId = acceptedStackId(await stage().send(await createEvent(stage().cloud, { labels })));
});

const reference = () => ({ namespace, name: `${stackId}-autoscaler` });
const cluster = () => stage().kubernetes.get(resources.cluster, { namespace, name: stackId });
const deployment = () => stage().kubernetes.find(resources.deployment, reference());
const change = (path: string, value: unknown) =>
  stage().kubernetes.patch(resources.deployment, reference(), { operations: [{ op: 'replace', path, value }] });

/** Repairs once, and gives the verbs of its calls. */
async function repair(): Promise<string[]> {
  const verbs: string[] = [];
  const kubernetes = stage().kubernetes.observedBy(({ verb }) => verbs.push(verb));
  const live = await cluster();
  await repairAutoscaler({ kubernetes }, live);
  return verbs;
}

describe('on a real API server, a repair', () => {
  test('writes what is missing once, and nothing the second time', async () => {
    await stage().kubernetes.delete(resources.deployment, reference());
    expect(await repair()).toEqual(['get', 'apply']);
    const first = await deployment();
    expect(await repair()).toEqual(['get']);
    expect((await deployment())?.metadata?.resourceVersion).toBe(first?.metadata?.resourceVersion);
    expect(await autoscalerNames(stage().kubernetes)).toContain(reference().name);
  });

  test.each<[string, string, unknown]>([
    ['replicas', '/spec/replicas', 0],
    ['the image', '/spec/template/spec/containers/0/image', 'registry.example.org/other:v1'],
    ['the arguments', '/spec/template/spec/containers/0/args', ['--cloud-provider=clusterapi']],
  ])('takes back %s that somebody changed by hand', async (_what, path, value) => {
    const rendered = await deployment();
    await change(path, value);
    expect(await repair()).toEqual(['get', 'apply']);
    expect((await deployment())?.spec).toEqual(rendered?.spec);
    expect(await repair()).toEqual(['get']);
  });

  test('leaves alone what somebody else added', async () => {
    const operations = [{ op: 'add', path: '/spec/template/metadata/annotations', value: { seen: 'yes' } }] as const;
    const changed = await stage().kubernetes.patch(resources.deployment, reference(), { operations });
    expect(await repair()).toEqual(['get']);
    expect((await deployment())?.metadata?.resourceVersion).toBe(changed.metadata?.resourceVersion);
  });

  test('removes it when no nodegroup is autoscaled any more', async () => {
    const turnOff = async () => {
      const { spec, metadata } = await cluster();
      const { machineDeployments } = (spec as { topology: { workers: { machineDeployments: object[] } } }).topology
        .workers;
      const [{ metadata: _limits, ...entry } = { metadata: {} }] = machineDeployments as { metadata: object }[];
      const value = [{ ...entry, replicas: 1 }];
      await stage().kubernetes.patch(
        resources.cluster,
        { namespace, name: stackId },
        {
          operations: [{ op: 'replace', path: '/spec/topology/workers/machineDeployments', value }],
          resourceVersion: metadata?.resourceVersion,
        },
      );
    };
    // Cluster API writes to the Cluster too.
    await waitFor(turnOff, { what: 'a change of the Cluster that nobody overtakes' });
    expect(await repair()).toEqual(['get', 'delete']);
    expect(await deployment()).toBeUndefined();
    expect(await repair()).toEqual(['get']);
  });
});
