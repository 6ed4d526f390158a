import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { createServerFaultReader, type ServerFaultsOptions } from '../cloud/server-faults.ts';
import { deriveStatus } from '../status/derive-status.ts';
import {
  ago,
  cluster,
  controlPlane,
  machine,
  machineDeployment,
  master,
  now,
  openStackServer,
  provisioning,
  record,
  type Said,
  severe,
  stackId,
  uuid,
  worker,
} from '../status/testing/objects.ts';
import { createKubernetesClient } from './client.ts';
import { observeCluster } from './cluster-observation.ts';
import { instantClock } from './testing/instant-clock.ts';

/** Begins the selector of a list of one name, which counts as that object's read. */
const byName = 'metadata.name=';
const ofCluster = `labelSelector=cluster.x-k8s.io%2Fcluster-name%3D${stackId}`;

/** Bodies by the end of the path; a number is a status. */
type Objects = Readonly<Record<string, unknown>>;

let close: (() => void)[] = [];
afterEach(() => {
  for (const end of close) end();
  close = [];
});

/** An API server that knows these objects, and no others. */
async function startServer(objects: Objects) {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://localhost');
    const short = url.pathname.replace(/^.*\/namespaces\/magnum-system\//, '');
    const selector = url.searchParams.get('fieldSelector') ?? '';
    if (!short.includes('/') && selector === '') expect(url.search).toContain(ofCluster);
    const name = nameOf(short, selector);
    requests.push(name);
    answer(response, selector.startsWith(byName) ? listOf(objects[name]) : found(objects, name));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = createKubernetesClient({ server: `http://127.0.0.1:${port}` }, { clock: instantClock() });
  close.push(() => {
    client.close();
    server.close();
    server.closeAllConnections();
  });
  return { client, requests };
}

function found(objects: Objects, name: string): unknown {
  return objects[name] ?? (name.includes('/') ? 404 : { items: [] });
}

function listOf(object: unknown = 404): unknown {
  if (object === 404) return { items: [] };
  return typeof object === 'number' ? object : { items: [object] };
}

function nameOf(path: string, selector: string): string {
  if (selector.startsWith(byName)) return `${path}/${selector.slice(byName.length)}`;
  return selector === '' ? path : `${path}?${selector}`;
}

function answer(response: http.ServerResponse, body: unknown): void {
  const reasons: Record<number, string> = { 403: 'Forbidden', 404: 'NotFound' };
  const status = typeof body === 'number' ? body : 200;
  const failure = {
    kind: 'Status',
    status: 'Failure',
    code: status,
    reason: reasons[status],
    details: { name: 'x', kind: 'x' },
  };
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(status === 200 ? body : failure));
}

const names = { cluster: `clusters/${stackId}`, controlPlane: `kubeadmcontrolplanes/${stackId}-cp` };
const secretName = `secrets/${stackId}-cloud-config`;
const infrastructureName = `openstackclusters/${stackId}-infra`;
const creating = (said: Said = {}, metadata = {}) =>
  cluster({ records: { '': record('cluster.create') }, said, metadata });
const done = { '': record('cluster.create', { completed: ago(1) }) };
const notReconciled: Said = { TopologyReconciled: ['False', 'ClusterUpgrading', 'Cluster is upgrading'] };

const healthy: Objects = {
  [names.cluster]: creating(),
  machinedeployments: { items: [machineDeployment()] },
  machines: { items: [master, worker] },
  [names.controlPlane]: controlPlane(),
};
const first = [names.cluster, 'machinedeployments', 'machines'];
const addonCalls = [`clusterresourcesets/${stackId}-addons`, `clusterresourcesetbindings/${stackId}`];
const upgrading = cluster({ records: { '': record('cluster.upgrade') }, said: notReconciled });
const secret = {
  metadata: { name: `${stackId}-cloud-config`, labels: { 'cluster-uuid': uuid }, creationTimestamp: ago(60) },
  data: {},
};

async function observe(objects: Objects) {
  const { client, requests } = await startServer(objects);
  const observed = await observeCluster(client, stackId, { now: () => now, serverFaults: createServerFaultReader() });
  return { observed, requests, derived: deriveStatus(observed, { now, magnum: null }) };
}

const coming = machine('w', { metadata: { creationTimestamp: ago(1) }, said: provisioning });
const late = machine('w', { said: provisioning });
const error = openStackServer('w', {
  instanceID: 'i-1',
  instanceState: 'ERROR',
  conditions: [severe('InstanceReady', 'InstanceStateError', '')],
});

describe('one observation makes these calls', () => {
  test.each<[string, Objects, readonly string[]]>([
    ['of a cluster on which nothing goes on', { [names.cluster]: cluster({ records: done }) }, first],
    ['of an upgrade that goes its way', { [names.cluster]: upgrading }, first],
    ['of a create that is complete', {}, [...first, names.controlPlane, ...addonCalls]],
    ['of a cluster without records', { [names.cluster]: cluster() }, [...first, names.controlPlane]],
    [
      'while the infrastructure comes',
      {
        [names.cluster]: creating(
          {
            ...notReconciled,
            InfrastructureReady: ['False', 'NotReady'],
            ControlPlaneInitialized: ['False', 'NotInitialized'],
          },
          { creationTimestamp: ago(1) },
        ),
        machines: { items: [] },
        [infrastructureName]: {},
      },
      [...first, infrastructureName],
    ],
    ['while nodes wait for their network', { [names.cluster]: creating(notReconciled) }, [...first, ...addonCalls]],
    [
      'while a machine comes',
      { [names.cluster]: creating(notReconciled), machines: { items: [master, coming] } },
      [...first, 'openstackservers'],
    ],
    [
      'when a server is in ERROR',
      {
        [names.cluster]: creating(notReconciled),
        machines: { items: [master, late] },
        openstackservers: { items: [error] },
        [secretName]: secret,
      },
      [...first, 'openstackservers', secretName],
    ],
    [
      'when a machine is late and nothing says why',
      { [names.cluster]: creating(notReconciled), machines: { items: [master, late] } },
      [...first, 'openstackservers', 'openstackmachines', 'events?involvedObject.name=w'],
    ],
    ['without a Cluster', { [names.cluster]: 404, [secretName]: secret }, [names.cluster, secretName]],
    ['without anything', { [names.cluster]: 404 }, [names.cluster, secretName]],
    [
      'while a cluster goes',
      {
        [names.cluster]: cluster({ metadata: { deletionTimestamp: ago(1) } }),
        machines: { items: [] },
        [secretName]: secret,
        [infrastructureName]: {},
      },
      [...first, secretName, infrastructureName],
    ],
  ])('%s', async (_what, objects, calls) => {
    const { requests } = await observe({ ...healthy, ...objects });
    expect(requests.toSorted()).toEqual(calls.toSorted());
    expect(requests[0]).toBe(names.cluster);
    expect(requests.length).toBeLessThanOrEqual(8);
  });
});

describe('what is observed', () => {
  test('makes a complete create complete', async () => {
    const { observed, derived } = await observe(healthy);
    expect(observed.addons).toBeNull();
    expect(derived).toMatchObject({ completed: [{ nodegroup: null }], report: { state: 'COMPLETE' } });
  });

  test('has the add-ons with their binding', async () => {
    const resourceSet = { spec: { resources: [{ kind: 'Secret', name: 'a' }] } };
    const objects = { ...healthy, [`clusterresourcesets/${stackId}-addons`]: resourceSet };
    const { observed, derived } = await observe(objects);
    expect(observed.addons).toEqual({ resourceSet, binding: null });
    expect(derived?.report.status_reason).toBe('The add-ons of the cluster are not applied: a missing.');
  });

  test('has the Secret without what is secret', async () => {
    const mark = JSON.stringify(record('cluster.delete', { deadline: null }));
    const annotations = { 'magnum.openstack.org/delete': mark };
    const marked = { ...secret, metadata: { ...secret.metadata, annotations }, data: { 'clouds.yaml': 'c2VjcmV0' } };
    const { observed, derived } = await observe({ [names.cluster]: 404, [secretName]: marked });
    expect(observed.cloudConfig).toEqual({ uuid, record: null, deleteRequested: JSON.parse(mark), created: ago(60) });
    expect(derived?.report).toMatchObject({ action: 'DELETE', state: 'IN_PROGRESS' });
  });

  test("has Nova's words about a server in ERROR", async () => {
    const objects = {
      ...healthy,
      [names.cluster]: creating(notReconciled),
      machines: { items: [master, late] },
      openstackservers: { items: [error] },
      [secretName]: secret,
    };
    const { client } = await startServer(objects);
    const asked: unknown[] = [];
    const serverFaults = {
      read: async ({ servers, secret: read }: ServerFaultsOptions) => {
        asked.push(servers, (await read())?.metadata);
        return { w: 'No valid host was found.' };
      },
    };
    const observed = await observeCluster(client, stackId, { now: () => now, serverFaults });
    expect(asked).toEqual([[{ name: 'w', id: 'i-1' }], { name: `${stackId}-cloud-config` }]);
    expect(deriveStatus(observed, { now, magnum: null })?.report.status_reason).toMatch(
      /^Machine w of nodegroup default-worker: No valid host was found\. /,
    );
  });
});

describe('a read that fails', () => {
  const explained = { ...healthy, [names.cluster]: creating(notReconciled), machines: { items: [master, late] } };

  test.each<[string, Objects]>([
    ['the Cluster', { [names.cluster]: 503 }],
    ['the Cluster without the right to read it', { [names.cluster]: 403 }],
    ['the machine deployments', { ...healthy, machinedeployments: 503 }],
    ['the machines', { ...healthy, machines: 403 }],
    ['the control plane', { ...healthy, [names.controlPlane]: 503 }],
    ['the add-ons', { ...healthy, [`clusterresourcesets/${stackId}-addons`]: 403 }],
    ['the Secret', { [names.cluster]: 404, [secretName]: 403 }],
  ])('is an error, not a missing object: %s', async (_what, objects) => {
    await expect(observe(objects)).rejects.toMatchObject({ status: 503 });
  });

  test.each<[string, Objects]>([
    ['of the servers', { openstackservers: 403 }],
    ['of the OpenStackMachines', { openstackmachines: 503 }],
    ['of the Events', { 'events?involvedObject.name=w': 403 }],
    ['of the Secret for Nova', { openstackservers: { items: [error] }, [secretName]: 403 }],
    ['of a Secret that is no cloud', { openstackservers: { items: [error] }, [secretName]: secret }],
  ])('only leaves the explanation out: %s', async (_what, objects) => {
    const { derived } = await observe({ ...explained, ...objects });
    expect(derived?.report).toMatchObject({ action: 'CREATE', state: 'IN_PROGRESS' });
  });

  test('is not hidden when nobody waits any more', async () => {
    const { client } = await startServer(explained);
    const signal = AbortSignal.abort(new Error('nobody waits'));
    await expect(observeCluster(client, stackId, { signal })).rejects.toThrow('nobody waits');
  });
});
