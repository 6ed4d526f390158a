import { describe, expect, inject, test, vi } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import type { ExampleEvent } from '../functions/example-event.ts';
import { startKillingProxy } from '../functions/killing-proxy.ts';
import { secretsOf } from '../functions/live-objects.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';

/** More than a create has; the loop ends with the first create that is not killed. */
const mostWrites = 40;
/** Seconds; a killed function's Lease has to expire before the next one can go on. */
const leaseSeconds = 1;

/** So that the create has every kind of write. */
const autoscaled = { auto_scaling_enabled: 'true', min_node_count: '1', max_node_count: '3' };

/** Renewals come by the clock, so they would make the numbering of writes another one each time. */
const renewal = /^PATCH .*\/leases\//;

const stage = stageOfFile();

describe('a function that is killed right after a write', () => {
  test('of Kubernetes or OpenStack is made good by sending the event again', { timeout: 300_000 }, async () => {
    const killedAfter: string[] = [];
    for (let count = 1; count <= mostWrites; count += 1) {
      const event = await createEvent(stage().cloud, { labels: autoscaled });
      const bundle = await stage().bundleOf(`0.1.0-crash-${count}`);
      const write = await createUntilKilled(event, { bundle, count });
      await finish(event, bundle);
      if (write === undefined) break;
      killedAfter.push(write);
    }
    expect(killedAfter.length).toBeLessThan(mostWrites);
    for (const kind of [
      'leases',
      'secrets',
      'clusterclasses',
      'clusters',
      'deployments',
      'os-server-groups',
      'application_credentials',
    ]) {
      expect(
        killedAfter.filter((write) => write.includes(kind)),
        kind,
      ).not.toEqual([]);
    }
  });
});

interface Killing {
  readonly bundle: string;
  /** The function dies after this many writes. */
  readonly count: number;
}

/** The write after which the function was killed; undefined where the create has fewer of them. */
async function createUntilKilled(event: ExampleEvent, { bundle, count }: Killing): Promise<string | undefined> {
  let writes = 0;
  let last: string | undefined;
  const afterWrite = (call: string) => {
    if (renewal.test(call)) return false;
    writes += 1;
    if (writes !== count) return false;
    last = call;
    victim.signal('SIGKILL');
    return true;
  };
  const [server, caCertificate] = [inject('server'), inject('caCertificate')];
  const proxy = await startKillingProxy({ server, caCertificate, afterWrite });
  const options = { bundle, leaseSeconds, server: proxy.server, caCertificate: proxy.caCertificate };
  const victim = await stage().startAnother(options);
  const kill = (request: { method: string; path: string }) => afterWrite(`${request.method} ${request.path}`);
  stage().cloud.faults.inject({ method: 'POST', when: kill, cut: 'after' });
  const send = () =>
    stage()
      .sendOnce(event, victim.url)
      .catch(() => undefined);
  let answer = await send();
  // A slow machine does not always renew so short a Lease in time; the sender then tries again.
  while (last === undefined && answer?.status === 429) answer = await send();
  stage().cloud.faults.clear();
  await victim.stop('SIGKILL');
  await proxy.stop();
  if (last === undefined) acceptedStackId(answer ?? { status: 0, headers: {}, type: '', data: undefined });
  return last;
}

/** Sends the event again to a healthy process, and checks that exactly one of each thing is there in the end. */
async function finish(event: ExampleEvent, bundle: string): Promise<void> {
  const healthy = await stage().startAnother({ bundle });
  const name = acceptedStackId(await stage().send(event, healthy.url));
  await healthy.stop();
  const ours = await secretsOf(stage().kubernetes, name);
  expect(ours).toHaveLength(5);
  const { serverGroups, applicationCredentials } = stage().cloud.state;
  const credentials = applicationCredentials.filter((one) => one.name.startsWith(event.subject));
  expect(credentials).toHaveLength(1);
  expect(serverGroups.filter((group) => group.name.startsWith(name))).toHaveLength(2);
  const cloudConfig = ours.find(({ metadata }) => metadata?.name === `${name}-cloud-config`);
  const cloudsYaml = Buffer.from(cloudConfig?.data?.['clouds.yaml'] ?? '', 'base64').toString('utf8');
  expect(cloudsYaml).toContain(credentials[0]?.secret);
  const cluster = await stage().kubernetes.get(resources.cluster, { namespace, name });
  await stage().kubernetes.get(resources.deployment, { namespace, name: `${name}-autoscaler` });
  const { classRef } = (cluster.spec as { topology: { classRef: { name: string } } }).topology;
  await stage().kubernetes.get(resources.clusterClass, { namespace, name: classRef.name });
  await vi.waitFor(async () => {
    expect(
      await stage().kubernetes.find(resources.lease, { namespace, name: `cluster-${event.subject}` }),
    ).toBeUndefined();
  });
}
