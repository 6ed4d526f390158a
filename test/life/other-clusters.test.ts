import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { stackNames } from '../../shared/render/stack-names.ts';
import type { StatusReport } from '../../shared/status/progress.ts';
import { readBootstrapData } from '../cloud/workload/bootstrap-data.ts';
import { waitFor } from '../env/wait-for.ts';
import { type ClusterChanges, createEvent } from '../functions/create-event.ts';
import { objectsOf } from '../functions/live-objects.ts';
import { applyOperation } from '../system/recorded-operation.ts';
import { statusOf } from '../system/report-log.ts';
import { systemOfFile } from '../system/system-of-file.ts';
import { expectCreation } from './creation-reports.ts';

const system = systemOfFile();
const version = 'v1.33.4';
/** Milliseconds that the real managers get for some machines on a busy machine. */
const patience = 300_000;

/** Creates a cluster of one master and one worker and follows it until it is complete. */
async function completed(changes: ClusterChanges): Promise<string> {
  const { cloud, create, reports } = system();
  const labels = { kube_tag: version, ...changes.labels };
  const stackId = await create(
    await createEvent(cloud, { ...changes, labels, workers: { node_count: 1, ...changes.workers } }),
  );
  const matches = (report: StatusReport) => statusOf(report) === 'CREATE_COMPLETE';
  await reports.status(stackId, { what: 'CREATE_COMPLETE', matches, timeout: patience });
  expectCreation(reports.statuses(stackId), { version, nodes: { 'default-master': 1, 'default-worker': 1 } });
  return stackId;
}

const bootstrapped = z.object({ spec: z.object({ bootstrap: z.object({ dataSecretName: z.string() }) }) });

describe('a cluster of Flatcar', () => {
  let stackId = '';

  test('is reported until it is complete', async () => {
    const image_id = 'flatcar-kube-v1.30';
    stackId = await completed({ cluster_template: { cluster_distro: 'flatcar', image_id }, workers: { image_id } });
  });

  test('has machines that Ignition sets up', async () => {
    const { kubernetes } = system();
    const machines = await objectsOf(kubernetes, resources.machine, stackId);
    const formats = machines.map(async (machine) => {
      const { dataSecretName: name } = bootstrapped.parse(machine).spec.bootstrap;
      const { data } = await kubernetes.get(resources.secret, { namespace, name });
      return readBootstrapData(Buffer.from(data?.['value'] ?? '', 'base64').toString()).format;
    });
    expect(await Promise.all(formats)).toEqual(['ignition', 'ignition']);
  });
});

describe('an autoscaled cluster', () => {
  let stackId = '';

  const autoscaler = () => {
    const { autoscaler: name } = stackNames(stackId);
    return system().kubernetes.find(resources.deployment, { namespace, name });
  };

  const uidOfAutoscaler = async () => (await autoscaler())?.metadata?.uid;

  async function deleteAutoscaler(): Promise<string | undefined> {
    const before = await uidOfAutoscaler();
    const { autoscaler: name } = stackNames(stackId);
    await system().kubernetes.delete(resources.deployment, { namespace, name });
    return before;
  }

  function anotherAutoscaler(before: string | undefined): Promise<void> {
    const probe = async () => {
      const now = await uidOfAutoscaler();
      if (now === undefined || now === before) throw new Error(`the Deployment has the uid ${now}`);
    };
    return waitFor(probe, { what: `the autoscaler of ${stackId} to be back`, timeout: 15_000 });
  }

  /** The part of the cluster autoscaler: it writes the number where Cluster API's provider of it does. */
  async function scale(replicas: number): Promise<StatusReport> {
    const { kubernetes, reports } = system();
    const [deployment] = await objectsOf(kubernetes, resources.machineDeployment, stackId);
    const reference = { namespace, name: deployment?.metadata?.name ?? '' };
    const operations = [{ op: 'replace', path: '/spec/replicas', value: replicas }] as const;
    await kubernetes.patch(resources.machineDeployment, reference, { operations });
    const matches = ({ nodegroups }: StatusReport) => nodegroups[1]?.node_count === replicas;
    return reports.status(stackId, { what: `node_count ${replicas}`, matches, timeout: 5_000 });
  }

  function addresses(count: number): Promise<StatusReport> {
    const matches = ({ nodegroups }: StatusReport) => nodegroups[1]?.node_addresses.length === count;
    return system().reports.status(stackId, { what: `${count} worker addresses`, matches, timeout: patience });
  }

  test('is reported until it is complete, and has its autoscaler', async () => {
    stackId = await completed({
      labels: { auto_scaling_enabled: 'true' },
      workers: { min_node_count: 1, max_node_count: 3 },
    });
    expect(await autoscaler()).toMatchObject({ metadata: { ownerReferences: [{ kind: 'Cluster', name: stackId }] } });
  });

  test('is reported with the number of nodes that the autoscaler chooses', async () => {
    for (const count of [2, 1]) {
      expect(statusOf(await scale(count))).toBe('CREATE_COMPLETE');
      await addresses(count);
    }
    const states = system().reports.statuses(stackId).map(statusOf);
    expect(new Set(states.slice(states.indexOf('CREATE_COMPLETE')))).toEqual(new Set(['CREATE_COMPLETE']));
  });

  test('gets back an autoscaler that somebody deletes', async () => {
    await anotherAutoscaler(await deleteAutoscaler());
  });

  test('gets it back with the next resync where its event was lost', async () => {
    const { local } = system();
    local.source.pause();
    try {
      const before = await deleteAutoscaler();
      await local.ping();
      await anotherAutoscaler(before);
    } finally {
      await local.source.resume();
    }
  });

  test('loses it when autoscaling is turned off', async () => {
    const { kubernetes, reports } = system();
    const path = '/spec/topology/workers/machineDeployments/0';
    await applyOperation(kubernetes, stackId, {
      type: 'nodegroup.update',
      nodegroup: 'default-worker',
      changes: [
        { op: 'remove', path: `${path}/metadata/annotations` },
        { op: 'add', path: `${path}/replicas`, value: 1 },
      ],
    });
    const matches = (report: StatusReport) => statusOf(report) === 'UPDATE_COMPLETE';
    await reports.status(stackId, { what: 'UPDATE_COMPLETE', matches, timeout: patience });
    const probe = async () => expect(await autoscaler()).toBeUndefined();
    await waitFor(probe, { what: `the end of the autoscaler of ${stackId}`, timeout: 15_000 });
  });
});
