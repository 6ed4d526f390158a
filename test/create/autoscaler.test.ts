import { describe, expect, test, vi } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import { nodegroupEvent } from '../functions/nodegroup-event.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';

const stage = stageOfFile();

const labels = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };
/** The Lease lasts three times as long. */
const renewalMs = 5_000;
const autoScaling = (image_repository: string) => ({ options: { auto_scaling: { image_repository } } });

const nameOf = (stackId: string) => `${stackId}-autoscaler`;
const find = (stackId: string) => stage().kubernetes.find(resources.deployment, { namespace, name: nameOf(stackId) });

describe('a create with an autoscaled nodegroup', () => {
  test('installs an autoscaler of the cluster, which the API server accepts, in its budget of calls', async () => {
    const event = await createEvent(stage().cloud, { labels, ...autoScaling('registry.example.org/autoscaling/') });
    const stackId = acceptedStackId(await stage().send(event));
    const cluster = await stage().kubernetes.get(resources.cluster, { namespace, name: stackId });
    const deployment = await find(stackId);
    expect(deployment?.metadata?.ownerReferences).toMatchObject([{ kind: 'Cluster', uid: cluster.metadata?.uid }]);
    expect(deployment?.spec).toMatchObject({
      replicas: 1,
      template: { spec: { containers: [{ image: 'registry.example.org/autoscaling/cluster-autoscaler:v1.33.5' }] } },
    });
    const [line = '{}'] = (await stage().processOf('create')).logLines.filter((one) => one.includes(event.id));
    const { kubernetes_calls, duration_ms } = JSON.parse(line);
    // The first create also makes the class. On a busy machine the Lease is renewed meanwhile.
    expect(kubernetes_calls - Math.floor(duration_ms / renewalMs)).toBeLessThanOrEqual(28);
  });

  test('that comes again writes nothing, and makes good what is lost', async () => {
    const event = await createEvent(stage().cloud, { labels });
    const stackId = acceptedStackId(await stage().send(event));
    const first = await find(stackId);
    acceptedStackId(await stage().send(event));
    expect((await find(stackId))?.metadata?.resourceVersion).toBe(first?.metadata?.resourceVersion);
    await stage().kubernetes.delete(resources.deployment, { namespace, name: nameOf(stackId) });
    acceptedStackId(await stage().send(event));
    expect((await find(stackId))?.metadata?.uid).not.toBe(first?.metadata?.uid);
  });
});

test('the operator says on which nodes an autoscaler runs, and is told of what cannot be read', async () => {
  const event = await createEvent(stage().cloud, { labels });
  const selecting = (node_selector: string) => ({
    ...event,
    data: { ...event.data, options: { auto_scaling: { node_selector } } },
  });
  const { type, data } = await stage().send(selecting('pool'));
  expect(type).toContain('operation.rejected');
  expect(data).toMatchObject({ field: 'options.auto_scaling.node_selector', code: 'invalid_field' });
  const stackId = acceptedStackId(await stage().send(selecting('pool=infra')));
  expect((await find(stackId))?.spec?.template.spec?.nodeSelector).toEqual({ pool: 'infra' });
  const { metadata } = await stage().kubernetes.get(resources.cluster, { namespace, name: stackId });
  expect(metadata?.annotations).toMatchObject({ 'magnum.openstack.org/autoscaler-node-selector': 'pool=infra' });
});

test('an autoscaler goes with its Cluster', async () => {
  const event = await createEvent(stage().cloud, { labels });
  const stackId = acceptedStackId(await stage().send(event));
  const reference = { namespace, name: stackId };
  await stage().kubernetes.delete(resources.cluster, reference);
  const gone = async () => {
    expect(await stage().kubernetes.find(resources.cluster, reference)).toBeUndefined();
    expect(await find(stackId)).toBeUndefined();
  };
  await vi.waitFor(gone, { timeout: 90_000, interval: 500 });
});

test('a create without autoscaled nodegroups installs none, and the first such nodegroup does', async () => {
  const event = await createEvent(stage().cloud);
  const stackId = acceptedStackId(await stage().send(event));
  expect(await find(stackId)).toBeUndefined();
  const fields = { labels, node_count: 1, min_node_count: 1, max_node_count: 3 };
  const addition = nodegroupEvent(event, 'scaled', fields);
  const withRepository = { ...addition, data: { ...addition.data, ...autoScaling('registry.example.org/k8s') } };
  acceptedStackId(await stage().send(withRepository));
  expect(await find(stackId)).toMatchObject({
    spec: { template: { spec: { containers: [{ image: 'registry.example.org/k8s/cluster-autoscaler:v1.33.5' }] } } },
  });
});
