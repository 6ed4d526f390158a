import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { rollOut } from '../adoption/workloads.ts';
import { waitFor } from '../env/wait-for.ts';
import { expectNothingLeft } from '../functions/traces.ts';
import { machineUids } from '../life/machine-uids.ts';
import { requestCertificate } from './certificate-request.ts';
import { exampleTemplate, newVersion, oldVersion } from './example-template.ts';
import { magnumOfFile } from './magnum-of-file.ts';
import { identified } from './magnum-resources.ts';
import { type OpenstackCommand, openstackCommand } from './openstack-cli.ts';
import type { ClusterRow } from './row-log.ts';
import { accessOfKubeconfig, nodeNames, type WorkloadAccess } from './workload-api.ts';

const stage = magnumOfFile();
let openstack: OpenstackCommand;
let uuid = '';
let access: WorkloadAccess;

beforeAll(async () => {
  openstack = await openstackCommand(stage());
});

/** Carries out an operation on the cluster and gives its row at the end. */
async function done(operation: () => Promise<void>): Promise<ClusterRow> {
  const since = performance.now();
  await operation();
  return stage().rows.ended(uuid, since);
}

function stackId(): string {
  return stage().rows.cluster(uuid)?.stack_id ?? '';
}

/** Ids of the cluster's servers, of those whose name has the text. */
function serversOf(text: string): readonly string[] {
  const { servers } = stage().system.cloud.state;
  return servers.filter(({ name }) => name.startsWith(stackId()) && name.includes(text)).map(({ id }) => id);
}

test('a user makes a template and a cluster with the openstack command', async () => {
  const { name, labels, ...fields } = exampleTemplate();
  const template = ['--coe', 'kubernetes', '--image', `${fields['image_id']}`, '--external-network', 'public'];
  const flavors = ['--flavor', 'm1.medium', '--master-flavor', 'm1.medium', '--master-lb-enabled'];
  const more = ['--network-driver', 'calico', '--labels', `kube_tag=${labels['kube_tag']}`];
  await openstack.run('coe', 'cluster', 'template', 'create', ...template, ...flavors, ...more, name);
  await openstack.run(
    ...['coe', 'cluster', 'create', '--cluster-template', name],
    ...['--keypair', 'mykey', '--node-count', '1', 'first'],
  );
  await stage().magnum.untilCluster('first', 'CREATE_COMPLETE');
  const shown = await openstack.json('coe', 'cluster', 'show', 'first');
  uuid = identified.parse(shown).uuid;
  expect(shown).toMatchObject({ status: 'CREATE_COMPLETE', status_reason: null, coe_version: oldVersion });
  expect(shown).toMatchObject({ node_count: 1, master_count: 1 });
  expect(shown).toHaveProperty('api_address', expect.stringMatching(/^https:\/\/127\.0\.0\.1:\d+$/));
  expect(shown).toHaveProperty('node_addresses', [expect.stringMatching(/^10\./)]);
  expect(shown).toHaveProperty('master_addresses', [expect.stringMatching(/^10\./)]);
});

test('both default nodegroups are complete, and the cluster is healthy', async () => {
  const { magnum, rows } = stage();
  for (const name of ['default-master', 'default-worker']) {
    expect(await magnum.nodegroup(uuid, name)).toMatchObject({ status: 'CREATE_COMPLETE', node_count: 1 });
  }
  await waitFor(async () => expect(rows.cluster(uuid)?.health_status).toBe('HEALTHY'), { what: 'health' });
});

test('coe cluster config gives a kubeconfig that talks to the cluster', async () => {
  const folder = join(stage().folder, 'kubeconfig');
  await mkdir(folder);
  await openstack.run('coe', 'cluster', 'config', 'first', '--dir', folder);
  access = await accessOfKubeconfig(join(folder, 'config'));
  expect(await nodeNames(access)).toHaveLength(2);
});

test('coe ca show gives the authority of the API server', async () => {
  const shown = await openstack.run('coe', 'ca', 'show', 'first');
  expect(shown.trim()).toBe(access.caCertificate.trim());
});

test('a certificate that coe ca sign has signed opens the cluster', async () => {
  const { request, privateKey } = await requestCertificate('CN=somebody,O=system:masters');
  const file = join(stage().folder, 'somebody.csr');
  await writeFile(file, request);
  const certificate = await openstack.run('coe', 'ca', 'sign', 'first', file);
  expect(await nodeNames({ ...access, certificate, privateKey })).toHaveLength(2);
});

test('a new nodegroup gets machines', async () => {
  const { magnum } = stage();
  const fields = { name: 'more', node_count: 1, min_node_count: 1, max_node_count: 3, merge_labels: true };
  const row = await done(() => magnum.createNodegroup(uuid, fields));
  expect(row).toMatchObject({ status: 'UPDATE_COMPLETE', status_reason: null });
  expect(await magnum.nodegroup(uuid, 'more')).toMatchObject({
    status: 'CREATE_COMPLETE',
    node_addresses: [expect.stringMatching(/^10\./)],
  });
  expect(await nodeNames(access)).toHaveLength(3);
});

test('the limits of a nodegroup are changed', async () => {
  const { magnum } = stage();
  const change = { op: 'replace', path: '/max_node_count', value: 5 } as const;
  const row = await done(() => magnum.patchNodegroup(uuid, 'more', [change]));
  expect(row.status).toBe('UPDATE_COMPLETE');
  expect(await magnum.nodegroup(uuid, 'more')).toMatchObject({ status: 'UPDATE_COMPLETE', max_node_count: 5 });
});

test('a nodegroup is deleted with its machines, and its row goes', async () => {
  const { magnum, rows } = stage();
  const row = await done(() => magnum.deleteNodegroup(uuid, 'more'));
  expect(row.status).toBe('UPDATE_COMPLETE');
  await waitFor(async () => expect(rows.nodegroup(uuid, 'more')).toBeUndefined(), { what: 'the end of its row' });
  expect(serversOf('more')).toEqual([]);
});

test('a resize down removes the nodes that are named', async () => {
  const { magnum } = stage();
  expect(await done(() => magnum.resize(uuid, { node_count: 3 }))).toMatchObject({ status: 'UPDATE_COMPLETE' });
  const [first, ...others] = serversOf('default-worker');
  const nodes_to_remove = [first ?? ''];
  expect(others).toHaveLength(2);
  const row = await done(() => magnum.resize(uuid, { node_count: 2, nodes_to_remove }));
  expect(row).toMatchObject({ status: 'UPDATE_COMPLETE', status_reason: null });
  expect(new Set(serversOf('default-worker'))).toEqual(new Set(others));
  expect(await magnum.nodegroup(uuid, 'default-worker')).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 2 });
});

test('a PATCH of node_count is a resize', async () => {
  const { magnum } = stage();
  const change = { op: 'replace', path: '/node_count', value: 1 } as const;
  const row = await done(() => magnum.patchCluster(uuid, [change]));
  expect(row.status).toBe('UPDATE_COMPLETE');
  expect(await magnum.cluster(uuid)).toMatchObject({ node_count: 1 });
  expect(serversOf('default-worker')).toHaveLength(1);
});

test('an upgrade replaces the machines and takes the template', async () => {
  const { magnum, system } = stage();
  const template = await magnum.createTemplate(exampleTemplate({ name: 'newer', labels: { kube_tag: newVersion } }));
  const before = await machineUids(system.kubernetes, stackId());
  const row = await done(() => magnum.upgrade(uuid, template));
  expect(row).toMatchObject({ status: 'UPDATE_COMPLETE', coe_version: newVersion, cluster_template_id: template });
  const after = await machineUids(system.kubernetes, stackId());
  expect(after.masters).not.toEqual(before.masters);
  expect(after.workers).not.toEqual(before.workers);
});

test('the credential is rotated, and the cluster goes on', async () => {
  const { magnum, system, identity } = stage();
  const userId = system.cloud.state.users.find(({ name }) => name === identity.demo.name)?.id ?? '';
  const ids = async () => (await system.cloud.identity.credentialsOf(userId)).map(({ id }) => id);
  const before = await ids();
  expect(before).toHaveLength(1);
  await magnum.rotateCredential(uuid);
  expect(await ids()).toHaveLength(2);
  const probe = async () => {
    // Pods may still run with the old one until they are new.
    await rollOut(stage().system, stackId());
    await system.local.ping();
    const now = await ids();
    expect(now).toHaveLength(1);
    expect(now).not.toEqual(before);
  };
  await waitFor(probe, { what: 'the old credential to go', timeout: 120_000, interval: 2_000 });
  expect(await magnum.cluster(uuid)).toMatchObject({ status: 'UPDATE_COMPLETE' });
});

test('a deleted cluster leaves nothing, in the database, the management cluster and the cloud', async () => {
  const { magnum, rows, system } = stage();
  const stack = stackId();
  await openstack.run('coe', 'cluster', 'delete', 'first');
  await magnum.untilGone(uuid);
  await waitFor(async () => expect(rows.cluster(uuid)).toBeUndefined(), { what: 'the end of the row' });
  for (const name of ['default-master', 'default-worker']) expect(rows.nodegroup(uuid, name)).toBeUndefined();
  // Magnum itself leaves the authorities of etcd and of the front proxy behind.
  await waitFor(async () => expect(rows.count('x509keypair')).toBe(2), { what: 'the end of the certificates' });
  expect(rows.count('capi_functions_operations')).toBe(0);
  await waitFor(async () => expect(rows.count('capi_functions_reports')).toBe(0), { what: 'the end of the reports' });
  await expectNothingLeft(system, { uuid, stackId: stack });
  const { servers, serverGroups, loadBalancers } = system.cloud.state;
  expect([servers, serverGroups, loadBalancers]).toEqual([[], [], []]);
});
