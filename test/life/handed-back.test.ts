import { expect, test } from 'vitest';
import { deleteAddons, findAddons } from '../../shared/kubernetes/addon-objects.ts';
import { adoptionOfFile } from '../adoption/adoption-of-file.ts';
import { OriginalCluster } from '../adoption/original-cluster.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { MagnumCluster } from '../functions/magnum-cluster.ts';
import { expectNothingLeft } from '../functions/traces.ts';
import { waitForEnd } from '../system/operation-end.ts';
import { statusOf } from '../system/report-log.ts';
import { type MachineUids, machineUids } from './machine-uids.ts';

const stage = adoptionOfFile();

/** Milliseconds for each operation on a busy machine. */
const patience = 480_000;

/** Carries out an operation by the functions and waits for the report of its end. */
async function done(event: ExampleEvent, status: string): Promise<string> {
  const stackId = await stage().operate(event);
  await waitForEnd(stage(), { stackId, events: [event], timeout: patience });
  const matches = (report: Parameters<typeof statusOf>[0]) => statusOf(report) === status;
  await stage().reports.status(stackId, { what: status, matches, timeout: patience });
  return stackId;
}

/** Has the original resize a nodegroup, and expects that only new machines come. */
async function resizedByOriginal(
  cluster: OriginalCluster,
  nodegroup: string,
  more: Partial<MachineUids>,
): Promise<void> {
  const { masters = [], workers = [] } = more;
  const before = await machineUids(stage().kubernetes, cluster.stackId);
  await cluster.order('resize', { nodegroup, node_count: 2 });
  await cluster.synchronised('UPDATE_COMPLETE');
  const after = await machineUids(stage().kubernetes, cluster.stackId);
  expect(after.masters).toEqual([...before.masters, ...masters]);
  expect(after.workers).toEqual([...before.workers, ...workers]);
}

test('the original resizes a cluster of ours, gives it a nodegroup, and deletes all but its credential and add-on Secrets', async () => {
  const template = { dns_nameserver: '8.8.8.8' };
  const event = await createEvent(stage().cloud, { workers: { node_count: 1 }, cluster_template: template });
  const magnum = new MagnumCluster(event);
  magnum.created(await done(magnum.creation, 'CREATE_COMPLETE'));
  const cluster = await OriginalCluster.take(stage(), magnum);
  await resizedByOriginal(cluster, 'default-worker', { workers: [expect.any(String)] });
  await cluster.order('create_nodegroup', { nodegroup: cluster.nodegroup('extra') });
  await cluster.synchronised('UPDATE_COMPLETE');
  await cluster.deleted();
  const { state } = stage().cloud;
  const isOurs = ({ name }: { readonly name: string }) => name.startsWith(`${cluster.uuid}-`);
  // It deletes the credential that is named like the cluster; ours, which is not, stays with its user.
  expect(state.applicationCredentials.filter(isOurs)).toHaveLength(1);
  state.applicationCredentials = state.applicationCredentials.filter((credential) => !isOurs(credential));
  // It knows nothing of our add-ons: docs/install.md says how they are removed.
  const { kubernetes } = stage();
  const live = await findAddons(kubernetes, cluster.stackId);
  expect(live.secrets.length).toBeGreaterThan(3);
  await deleteAddons(kubernetes, { live, proceed: () => undefined });
  await expectNothingLeft(stage(), cluster);
});

test('the original goes on with a cluster of its own that the functions have changed', async () => {
  const cluster = await OriginalCluster.create(stage());
  await cluster.synchronised('CREATE_COMPLETE');
  await cluster.reportedComplete();
  const magnum = await cluster.handOver();
  await done(magnum.resize('default-worker', 2), 'UPDATE_COMPLETE');
  await done(magnum.createNodegroup('gpu', { node_count: 1, labels: {} }), 'UPDATE_COMPLETE');
  await cluster.takeBack(magnum);
  await resizedByOriginal(cluster, 'gpu', { workers: [expect.any(String)] });
  await cluster.deleted();
  await expectNothingLeft(stage(), cluster);
});
