import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { waitFor } from '../env/wait-for.ts';
import { exampleTemplate, type TemplateFields } from './example-template.ts';
import { magnumOfFile } from './magnum-of-file.ts';

// Every row of the original driver's table of errors that Magnum's API can provoke: the status and the sentence that the tenant reads.

const stage = magnumOfFile({ driverOptions: { operation_timeout: 20 } });
let templates = 0;

afterEach(() => {
  stage().gateway.fateOf = () => 'pass';
  stage().system.cloud.faults.clear();
});

async function createCluster(changes: Partial<TemplateFields> = {}, fields: object = {}): Promise<string> {
  const { magnum } = stage();
  templates += 1;
  const template = await magnum.createTemplate(exampleTemplate({ name: `template-${templates}`, ...changes }));
  const counts = { master_count: 1, node_count: 1 };
  const given = { name: `c${templates}`, cluster_template_id: template, keypair: 'mykey', ...counts, ...fields };
  return magnum.createCluster(given);
}

interface RefusedCreation {
  /** A sentence. */
  readonly title: string;
  readonly template: Partial<TemplateFields>;
  /** What happens in the cloud between Magnum's own checks and the function's. @default nothing */
  readonly before?: () => () => void;
  readonly reason: string | RegExp;
}

const creations: readonly RefusedCreation[] = [
  {
    title: 'a network driver that is no known one',
    template: { network_driver: 'flannel' },
    reason: 'Field network_driver of the cluster template: "flannel" is not one of calico, cilium.',
  },
  {
    title: 'the load balancers of ovn with an algorithm that they do not know',
    template: { labels: { octavia_provider: 'ovn', octavia_lb_algorithm: 'ROUND_ROBIN' } },
    reason: 'Label octavia_lb_algorithm: the provider ovn does not know ROUND_ROBIN, only SOURCE_IP_PORT.',
  },
  {
    title: 'a flavor that goes after Magnum has seen it',
    template: {},
    before: withoutFlavors,
    reason: /^Field cluster\.master_flavor_id: There is no flavor with the name or id "m1\.medium"\./,
  },
  {
    title: 'a volume of a type that the cloud does not have',
    template: { labels: { boot_volume_size: '10', boot_volume_type: 'gold' } },
    reason: 'Label boot_volume_type: the cloud has no volume type "gold".',
  },
];

/** Takes all flavors away; gives what brings them back. */
function withoutFlavors(): () => void {
  const { state } = stage().system.cloud;
  const { flavors } = state;
  state.flavors = [];
  return () => {
    state.flavors = flavors;
  };
}

describe('A create is refused:', () => {
  test.each(creations)('$title', async ({ template, before = () => () => undefined, reason }) => {
    const { gateway, magnum, rows } = stage();
    let undo = () => {};
    gateway.fateOf = () => {
      undo = before();
      gateway.fateOf = () => 'pass';
      return 'pass';
    };
    const since = performance.now();
    const uuid = await createCluster(template);
    const row = await rows.ended(uuid, since);
    undo();
    expect(row.status).toBe('CREATE_FAILED');
    if (typeof reason === 'string') expect(row.status_reason).toBe(reason);
    else expect(row.status_reason).toMatch(reason);
    for (const name of ['default-master', 'default-worker']) {
      expect(rows.nodegroup(uuid, name)).toMatchObject({ status: 'CREATE_FAILED', status_reason: row.status_reason });
    }
    await magnum.deleteCluster(uuid);
    await magnum.untilGone(uuid);
  });

  test('an even number of masters, by the API', async () => {
    await expect(createCluster({}, { master_count: 2 })).rejects.toMatchObject({ status: 400 });
  });
});

describe('A cluster that stands', () => {
  let uuid = '';

  beforeAll(async () => {
    uuid = await createCluster();
    await stage().magnum.untilCluster(uuid, 'CREATE_COMPLETE');
  }, 300_000);

  function entriesOfWorkers() {
    const { kubernetes } = stage().system;
    const name = stage().rows.cluster(uuid)?.stack_id ?? '';
    return { kubernetes, reference: { namespace, name } };
  }

  /** Takes the last worker nodegroup out of the Cluster, behind Magnum's back. */
  async function removeLastEntry(): Promise<void> {
    const { kubernetes, reference } = entriesOfWorkers();
    await kubernetes.patch(resources.cluster, reference, {
      operations: [{ op: 'remove', path: '/spec/topology/workers/machineDeployments/1' }],
    });
  }

  async function addNodegroup(name: string): Promise<void> {
    const { magnum, rows } = stage();
    const since = performance.now();
    await magnum.createNodegroup(uuid, { name, node_count: 1, merge_labels: true });
    expect(await rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  }

  async function deleteNodegroup(name: string): Promise<void> {
    const { magnum, rows } = stage();
    const since = performance.now();
    await magnum.deleteNodegroup(uuid, name);
    expect(await rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    await waitFor(async () => expect(rows.nodegroup(uuid, name)).toBeUndefined(), { what: `the end of ${name}` });
  }

  test('keeps its masters when their number would be even', async () => {
    const resizing = stage().magnum.resize(uuid, { node_count: 2, nodegroup: 'default-master' });
    await expect(resizing).rejects.toMatchObject({ status: 400 });
    expect(stage().rows.cluster(uuid)).toMatchObject({ status: 'CREATE_COMPLETE' });
  });

  test('does not go back to an older version, and stays as it was', async () => {
    const { magnum, rows } = stage();
    const { status, status_reason, cluster_template_id } = rows.cluster(uuid) ?? {};
    const labels = { kube_tag: 'v1.32.1' };
    const template = await magnum.createTemplate(exampleTemplate({ name: 'older', labels }));
    await expect(magnum.upgrade(uuid, template)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/The cluster runs v1\.33\.4: it cannot go back to v1\.32\.1\./),
    });
    expect(rows.cluster(uuid)).toMatchObject({ status, status_reason, cluster_template_id });
  });

  test('keeps its authorities when somebody asks for others', async () => {
    const { magnum, rows } = stage();
    const before = await magnum.certificateAuthority(uuid);
    await expect(magnum.call('PATCH', `/certificates/${uuid}`)).rejects.toMatchObject({
      status: 400,
      message: expect.stringMatching(/cannot be rotated/),
    });
    expect(await magnum.certificateAuthority(uuid)).toBe(before);
    // Magnum's own doing, whatever a driver says; the next resize ends it.
    expect(rows.cluster(uuid)).toMatchObject({
      status: 'UPDATE_FAILED',
      status_reason: 'Certificate authorities of a cluster cannot be rotated: make a new cluster instead.',
    });
  });

  test('gets no nodegroup of which the name cannot be a label', async () => {
    const { magnum, rows } = stage();
    const since = performance.now();
    await magnum.createNodegroup(uuid, { name: 'Gpu_Nodes.1', node_count: 1, merge_labels: true });
    expect(await rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_FAILED' });
    expect(rows.nodegroup(uuid, 'Gpu_Nodes.1')).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason:
        'Nodegroup "Gpu_Nodes.1": the name needs lower-case letters, digits and hyphens only, with no hyphen at the ends.',
    });
    await deleteNodegroup('Gpu_Nodes.1');
  });

  test('tells of a nodegroup that is gone from the management cluster', async () => {
    const { magnum, rows } = stage();
    await addNodegroup('gpu');
    await removeLastEntry();
    const since = performance.now();
    await magnum.resize(uuid, { node_count: 2, nodegroup: 'gpu' });
    const reason = 'Nodegroup gpu does not exist in the management cluster.';
    expect(await rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_FAILED' });
    // Magnum saves the cluster's row first, and the number of nodes as it was after it.
    const restored = async () =>
      expect(rows.nodegroup(uuid, 'gpu')).toMatchObject({
        status: 'UPDATE_FAILED',
        status_reason: reason,
        node_count: 1,
      });
    await waitFor(restored, { what: 'the nodegroup to be as it was', timeout: 5_000 });
    expect(rows.cluster(uuid)?.status_reason).toBe(reason);
  });

  test('loses a nodegroup that is not there any more without an error', async () => {
    await deleteNodegroup('gpu');
  });

  test('tells why a node does not come', async () => {
    const { magnum, rows, system } = stage();
    const removeFault = system.capo.faults.set({ kind: 'no-valid-host', role: 'worker' });
    const since = performance.now();
    await magnum.resize(uuid, { node_count: 2 });
    const probe = async () => {
      expect(rows.cluster(uuid)).toMatchObject({
        status: 'UPDATE_IN_PROGRESS',
        status_reason: expect.stringMatching(/No valid host was found/),
      });
    };
    await waitFor(probe, { what: 'the reason', timeout: 120_000 });
    removeFault();
    await magnum.resize(uuid, { node_count: 1 });
    expect(await rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_COMPLETE', status_reason: null });
  });

  test('is told of when the management cluster cannot be reached, and another one is not created', async () => {
    const { rows, controlPlane, magnum } = stage();
    const startAgain = await controlPlane.kill('kube-apiserver');
    const since = performance.now();
    const other = await createCluster();
    const probe = async () => {
      expect(rows.cluster(other)).toMatchObject({
        status: 'CREATE_IN_PROGRESS',
        status_reason: expect.stringMatching(/shows within minutes\.$/),
      });
    };
    await waitFor(probe, { what: 'the reason', timeout: 120_000 });
    startAgain();
    const row = await rows.ended(other, since);
    expect(row).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: expect.stringMatching(/Delete the cluster and create it again\.$/),
    });
    await magnum.deleteCluster(other);
    await magnum.untilGone(other);
  });

  test('waits with its end for load balancers that do not go, and says which', async () => {
    const { magnum, rows, system } = stage();
    const { state } = system.cloud;
    const projectId = state.projects.find(({ name }) => name === 'demo')?.id ?? '';
    state.loadBalancerDeletionLooks = Number.POSITIVE_INFINITY;
    const loadBalancer = {
      id: '6d0a5a3e-0f3c-4a4e-9f0c-0d1c5d3c0b11',
      name: `kube_service_${uuid}_default_web`,
      description: `Kubernetes external service default/web from cluster ${uuid}`,
      projectId,
      provisioningStatus: 'ACTIVE',
      vipPortId: '0b4f6f3a-30a5-4b0a-8f3b-6f2f0c7a9f11',
    };
    state.loadBalancers.push(loadBalancer);
    await magnum.deleteCluster(uuid);
    const probe = async () => {
      expect(rows.cluster(uuid)).toMatchObject({
        status: expect.stringMatching(/^DELETE_/),
        status_reason: expect.stringMatching(/load balancer/i),
      });
    };
    await waitFor(probe, { what: 'the reason', timeout: 180_000 });
    state.loadBalancerDeletionLooks = 0;
    // Octavia is done with it at last.
    state.loadBalancers = state.loadBalancers.filter(({ id }) => id !== loadBalancer.id);
    await magnum.untilGone(uuid, { timeout: 600_000 });
  });
});
