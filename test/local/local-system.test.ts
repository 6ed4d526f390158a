import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { readManifests } from '../../local/manifests/read-manifests.ts';
import type { Report } from '../../local/report.ts';
import { type LocalSystem, type LocalSystemOptions, startLocalSystem } from '../../local/start-local-system.ts';
import { type SubscriberUnderTest, startSubscriber } from '../../local/testing/subscriber.ts';
import { createLogger } from '../../shared/host/logger.ts';
import { sendEvent } from '../functions/send-event.ts';
import { managedApiOfFile, ofMagnum } from './managed-api.ts';

const managed = managedApiOfFile();

let system: LocalSystem;
let stop: (() => Promise<void>) | undefined;
let elsewhere: SubscriberUnderTest;
beforeEach(async () => {
  elsewhere = await startSubscriber();
});
afterEach(async () => {
  await stop?.();
  await elsewhere.close();
});

async function start(options: LocalSystemOptions = {}): Promise<void> {
  system = await startLocalSystem({
    kubeconfig: { path: managed().kubeconfigPath },
    port: 0,
    logger: createLogger({ level: 'silent' }),
    ...options,
  });
  stop = () => system.stop();
}

const report = {
  cluster_uuid: ofMagnum['cluster-uuid'],
  stack_id: 'kube-aaaaa',
  health_status: 'HEALTHY',
  health_status_reason: { api: 'ok' },
};
const reportEvent = {
  specversion: '1.0',
  id: 'r-1',
  source: '/functions/health',
  type: 'org.openstack.magnum.cluster.health.v1',
  subject: report.cluster_uuid,
  time: '2026-11-30T06:00:00Z',
  data: report,
};

describe('the local system', () => {
  test('takes changes of the management cluster to the functions that look at them, wherever they run', async () => {
    await start({ functions: { status: elsewhere.url, health: elsewhere.url } });
    await managed().createCluster('kube-aaaaa');
    // Beside what comes every five minutes.
    const told = (changes: readonly string[]) =>
      vi.waitFor(() => {
        const types = elsewhere.events.map(({ headers }) => `${headers['ce-type']}`);
        const seen = types.flatMap((type) => /\.ref\.(.+)/.exec(type)?.[1] ?? []);
        expect(seen).toEqual(changes);
      }, 30_000);
    await told(['add', 'add']);
    await managed().deleteCluster('kube-aaaaa');
    await told(['add', 'add', 'delete', 'delete']);
  });

  test('takes a change of the add-ons that are applied, which bears no labels, to the status function alone', async () => {
    await start({ functions: { status: elsewhere.url, health: elsewhere.url } });
    const bindings = '/apis/addons.cluster.x-k8s.io/v1beta2/namespaces/magnum-system/clusterresourcesetbindings';
    const binding = { apiVersion: 'addons.cluster.x-k8s.io/v1beta2', kind: 'ClusterResourceSetBinding', spec: {} };
    await managed().api.call('POST', bindings, { ...binding, metadata: { name: 'kube-fffff' } });
    await managed().api.call('DELETE', `${bindings}/kube-fffff`);
    await elsewhere.received(2);
    await system.broker.idle();
    const told = elsewhere.events.map(({ headers }) => [headers['ce-type'], headers['ce-kind'], headers['ce-name']]);
    expect(told).toEqual(
      ['add', 'delete'].map((change) => [
        `dev.knative.apiserver.ref.${change}`,
        'ClusterResourceSetBinding',
        'kube-fffff',
      ]),
    );
  });

  test('takes the event of its PingSource to them', async () => {
    await start({ functions: { status: elsewhere.url, health: elsewhere.url } });
    await system.ping();
    await elsewhere.received(2);
    expect(elsewhere.events[0]).toMatchObject({
      headers: {
        'ce-type': 'dev.knative.sources.ping',
        'ce-source': '/apis/v1/namespaces/magnum-system/pingsources/magnum-resync',
        'content-type': 'application/json',
      },
      body: '{}',
    });
    expect(elsewhere.events[0]?.headers).not.toHaveProperty('ce-subject');
  });

  test('lets functions that run elsewhere be started with the address of its broker', async () => {
    let sink = '';
    await start({
      async functions(url) {
        sink = url;
        return { status: elsewhere.url };
      },
    });
    expect(sink).toBe(system.broker.url);
    expect(system.functions).toMatchObject({ status: elsewhere.url, health: `${system.url}/health` });
  });

  test('shows reports, and takes them to whoever stands for Magnum', async () => {
    const reports: Report[] = [];
    await start({ listener: elsewhere.url, onReport: (each) => reports.push(each) });
    expect(await sendEvent(system.broker.url, reportEvent)).toMatchObject({ status: 202 });
    await elsewhere.received(1);
    expect(reports).toEqual([{ kind: 'health', time: reportEvent.time, health: report }]);
    expect(elsewhere.events[0]).toMatchObject({
      headers: { 'ce-id': 'r-1', 'ce-subject': report.cluster_uuid },
      body: JSON.stringify(report),
    });
  });

  test('answers what is no event with 400', async () => {
    await start();
    const { type: _type, ...untyped } = reportEvent;
    expect(await sendEvent(system.broker.url, untyped)).toMatchObject({ status: 400, data: { code: 'invalid_event' } });
  });

  test('shows what could not be delivered', async () => {
    const refusing = await startSubscriber([{ status: 400, body: 'no' }]);
    await start({ listener: refusing.url });
    await sendEvent(system.broker.url, reportEvent);
    await refusing.received(1);
    await system.broker.idle();
    const answer = await fetch(`${system.url}/dead-letters`);
    expect(await answer.json()).toMatchObject([{ id: 'r-1', knativeerrorcode: '400', data: report }]);
    expect(system.deadLetters()).toHaveLength(1);
    await refusing.close();
  });
});

describe('the functions in the process', () => {
  const request = { ...reportEvent, type: 'org.openstack.magnum.cluster.health.requested.v1', data: {} };

  test('ask the management cluster who calls', async () => {
    await start();
    expect(await sendEvent(`${system.url}/health`, request)).toMatchObject({ status: 401 });
    expect(await sendEvent(`${system.url}/health`, request, 'nonsense')).toMatchObject({ status: 401 });
  });

  test('let everybody in where that is asked for', async () => {
    await start({ authentication: 'none' });
    expect(await sendEvent(`${system.url}/health`, request)).toMatchObject({ status: 400 });
  });

  test('report a cluster that changes', async () => {
    const reports: Report[] = [];
    await start({ times: { statusWindowMs: 0, healthWindowMs: 0 }, onReport: (each) => reports.push(each) });
    await managed().createCluster('kube-bbbbb');
    const kinds = () => reports.map(({ kind }) => kind).toSorted();
    await expect.poll(kinds, { timeout: 30_000 }).toEqual(expect.arrayContaining(['health', 'status']));
    await managed().deleteCluster('kube-bbbbb');
  });
});

describe('a start that cannot succeed says why and leaves nothing behind', () => {
  const options = () => ({ kubeconfig: { path: managed().kubeconfigPath }, logger: createLogger({ level: 'silent' }) });

  test('a context that the kubeconfig does not have', async () => {
    const kubeconfig = { ...options().kubeconfig, context: 'nobody' };
    await expect(startLocalSystem({ ...options(), kubeconfig, port: 0 })).rejects.toThrow('"nobody"');
  });

  test('a port that another process has', async () => {
    const port = Number(new URL(elsewhere.url).port);
    await expect(startLocalSystem({ ...options(), port })).rejects.toThrow(`127.0.0.1:${port}`);
  });

  test('a schedule that cannot be read, after which the port is free', async () => {
    await start();
    const port = Number(new URL(system.url).port);
    await system.stop();
    const folder = await mkdtemp(join(tmpdir(), 'local-system-'));
    const manifests = join(folder, 'all.yaml');
    const documents = (await readManifests()).map((manifest) =>
      manifest.kind === 'PingSource'
        ? { ...manifest, spec: { ...Object(manifest['spec']), schedule: 'never' } }
        : manifest,
    );
    await writeFile(manifests, documents.map((document) => JSON.stringify(document)).join('\n---\n'));
    await expect(startLocalSystem({ ...options(), port, manifests })).rejects.toThrow('"never"');
    await rm(folder, { recursive: true });
    await start({ port });
    expect(system.url).toBe(`http://127.0.0.1:${port}`);
  });
});
