import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { clusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';
import { managedByLabel } from '../../shared/render/metadata.ts';
import { type StatusStage, startOfTime, startStatusStage } from './testing/status-stage.ts';

const ping = { type: 'dev.knative.sources.ping' };
const unusedSince = 'magnum.openstack.org/unused-since';
const old = 'magnum-v0.0.9-01234567';
const hour = 60 * 60 * 1000;

let stage: StatusStage;
beforeEach(async () => {
  stage = await startStatusStage();
});
afterEach(() => stage.stop());

function putClass(name: string, metadata: object = { labels: managedByLabel }): void {
  stage.store.put(resources.clusterClass, { metadata: { name, ...metadata } });
}

function useClass(className: string): void {
  stage.putCluster({ stackId: 'kube-abcde', uuid: 'a3f0b1c2-0000-4000-8000-000000000001', isReady: true, className });
}

async function pingAfter(hours: number): Promise<void> {
  stage.now = new Date(startOfTime.getTime() + hours * hour);
  await stage.handle(ping);
}

const classOf = (name: string) => stage.store.find(resources.clusterClass, name);
const mark = (name: string) => classOf(name)?.metadata.annotations?.[unusedSince];

describe('a class of another release', () => {
  test('that no Cluster refers to is deleted after a day', async () => {
    putClass(old);
    await pingAfter(0);
    expect(mark(old)).toBe(startOfTime.toISOString());
    await pingAfter(23.9);
    expect(mark(old)).toBe(startOfTime.toISOString());
    await pingAfter(24);
    expect(classOf(old)).toBeUndefined();
  });

  test('that is in use stays, and its day begins anew when it is not', async () => {
    putClass(old);
    await pingAfter(0);
    useClass(old);
    await pingAfter(12);
    expect(mark(old)).toBeUndefined();
    useClass('another');
    await pingAfter(13);
    await pingAfter(36.9);
    expect(mark(old)).toBe(new Date(startOfTime.getTime() + 13 * hour).toISOString());
    await pingAfter(37);
    expect(classOf(old)).toBeUndefined();
  });

  test('whose mark cannot be read begins its day anew', async () => {
    putClass(old, { labels: managedByLabel, annotations: { [unusedSince]: 'long ago' } });
    await pingAfter(0);
    expect(mark(old)).toBe(startOfTime.toISOString());
  });

  test('that was changed since it was read is not deleted', async () => {
    putClass(old);
    await pingAfter(0);
    stage.store.intercept = async (call) => {
      if (call.startsWith('DELETE')) putClass(old);
      return undefined;
    };
    await pingAfter(25);
    expect(classOf(old)).toBeDefined();
  });

  test('does not keep the others when it cannot be judged', async () => {
    const other = 'magnum-v0.0.8-01234567';
    putClass(old);
    putClass(other);
    stage.store.intercept = async (call) => (call.includes(old) ? 403 : undefined);
    await pingAfter(0);
    expect(mark(other)).toBe(startOfTime.toISOString());
    expect(stage.log).toContainEqual(expect.objectContaining({ cluster_class: old, level: 'warn' }));
  });
});

test("this release's own class stays, used or not", async () => {
  const { name } = clusterClassSet('0.1.0');
  putClass(name);
  await pingAfter(0);
  await pingAfter(100);
  expect(mark(name)).toBeUndefined();
  expect(classOf(name)).toBeDefined();
});

test('a class that another driver made is never touched', async () => {
  const name = 'magnum-v0.36.0';
  putClass(name, { labels: { 'app.kubernetes.io/managed-by': 'Helm' } });
  putClass('bare', {});
  await pingAfter(0);
  await pingAfter(100);
  expect(stage.store.calls.filter((call) => !call.startsWith('GET'))).toEqual([]);
});
