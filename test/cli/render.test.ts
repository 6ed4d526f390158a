import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import * as z from 'zod';
import { covers } from '../../shared/kubernetes/covers.ts';
import { resourceTypeOf } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { completeEvent, type ExampleEvent, readExample } from '../functions/example-event.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { factsOf } from './cloud-facts.ts';
import { runCommand } from './command-process.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';

const stage = stageOfFile();

let directory = '';
let proxy: RecordingProxy;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'magnum-render-'));
  const target = { server: inject('server'), caCertificate: inject('caCertificate'), adminToken: inject('adminToken') };
  proxy = await startRecordingProxy(target);
});
afterAll(async () => {
  await proxy.stop();
  await rm(directory, { recursive: true, force: true });
});

const object = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
});
type SomeObject = z.infer<typeof object>;

/** A cluster of its own, as the example describes it. */
async function ownEvent(name: string): Promise<ExampleEvent> {
  const example = await readExample(name);
  const uuid = randomUUID();
  const cluster = { ...example.data.cluster, uuid };
  const event = {
    ...example,
    id: `req-${uuid}`,
    subject: uuid,
    partitionkey: uuid,
    data: { ...example.data, cluster },
  };
  return completeEvent(event, { cloud: stage().cloud, certificates: await makeClusterCertificates('render') });
}

async function write(name: string, content: unknown): Promise<string> {
  const path = join(directory, name);
  await writeFile(path, JSON.stringify(content));
  return path;
}

/** By kind and name. */
function byName(objects: readonly SomeObject[]): Record<string, SomeObject> {
  return Object.fromEntries(objects.map((one) => [`${one.kind}/${one.metadata.name}`, one]));
}

/** What a create function has sent to the API server, but for its Lease and reviews. */
async function writtenFor(event: ExampleEvent): Promise<{ stackId: string; objects: Record<string, SomeObject> }> {
  const { server, caCertificate } = proxy;
  const { url, stop } = await stage().startAnother({ server, caCertificate });
  const before = proxy.writes.length;
  const stackId = acceptedStackId(await stage().send(event, url));
  await stop();
  const writes = proxy.writes.slice(before).filter(({ path, status }) => !path.includes('/leases') && status < 300);
  return { stackId, objects: byName(writes.map(({ body }) => object.parse(body))) };
}

const list = z.object({ items: z.array(object) });
const isClass = ({ kind }: SomeObject) => kind === 'ClusterClass' || kind.endsWith('Template');
/** Of the autoscaler's owner, which the API server alone makes. */
const withoutUids = (value: unknown) => JSON.parse(JSON.stringify(value).replace(/"uid":"[^"]*"/g, '"uid":""'));

test.each(['cluster-create-plain.json', 'cluster-create-full.json'])(
  'what is rendered of %s is what the create function writes for it',
  async (name) => {
    const event = await ownEvent(name);
    const written = await writtenFor(event);
    const facts = factsOf(stage().cloud, { uuid: event.subject, stackId: written.stackId });
    const files = [await write(name, event), '--facts', await write('facts.json', facts)];
    const rendered = await runCommand(['render', ...files, '--show-secrets', '-o', 'json']);
    expect(rendered).toMatchObject({ exitCode: 0, notes: '' });
    const { items } = list.parse(JSON.parse(rendered.output));

    const own = items.filter((one) => !isClass(one));
    expect(own.length).toBeGreaterThanOrEqual(10);
    const others = Object.values(written.objects).filter((one) => !isClass(one));
    expect(withoutUids(byName(own))).toEqual(withoutUids(byName(others)));
    // A file of tests before this one may have had the class written.
    for (const one of items.filter(isClass)) {
      const live = await stage().kubernetes.get(resourceTypeOf(one), { namespace, name: one.metadata.name });
      expect(covers(live, one)).toBe(true);
    }
  },
);

test('without the cloud, everything that is not said is assumed, and told on standard error', async () => {
  const event = await readExample('cluster-create-full.json');
  const { exitCode, output, notes } = await runCommand(['render', '-', '-o', 'json'], { input: JSON.stringify(event) });
  expect(exitCode).toBe(0);
  expect(list.parse(JSON.parse(output)).items.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(['Secret', 'ClusterResourceSet', 'ClusterClass', 'Cluster', 'Deployment']),
  );
  expect(notes).toMatch(/certificates are not given/);
  expect(notes).toMatch(/m1\.medium: \{vcpus: 2/);
});

test('what the openstack command prints of a cluster is enough', async () => {
  const files = ['examples/magnum/cluster.json', 'examples/magnum/cluster-template.json'];
  const { exitCode, output, notes } = await runCommand(['render', ...files, '-o', 'json', '--only', 'Cluster']);
  expect(exitCode).toBe(0);
  expect(list.parse(JSON.parse(output)).items).toMatchObject([
    { kind: 'Cluster', metadata: { name: 'kube-46ev8' }, spec: { topology: { version: 'v1.33.4' } } },
  ]);
  expect(notes).toMatch(/user is not given/);
  expect(notes).toMatch(/No nodegroups are given/);
});

test('secrets and passwords of the request are in no output, unless they are asked for', async () => {
  const event = await ownEvent('cluster-create-plain.json');
  const secret = 'aVerySecretPassword';
  const template = { ...event.data.cluster_template, http_proxy: `http://user:${secret}@proxy.example:3128` };
  const path = await write('secret.json', { ...event, data: { ...event.data, cluster_template: template } });
  const hidden = await runCommand(['render', path]);
  const key = z.looseObject({ ca: z.object({ private_key: z.string() }) }).parse(event.data['certificates'])
    .ca.private_key;
  const lines = [secret, key.split('\n')[1] ?? '', Buffer.from(secret).toString('base64').slice(0, 20)];
  const text = `${hidden.output}${hidden.notes}`;
  expect(text).toContain('application_credential_secret: (hidden)');
  for (const line of lines) expect(text).not.toContain(line);
  expect(text.match(/[A-Za-z0-9+/]{40,}={0,2}/g)?.filter((one) => atob(padded(one)).includes(secret)) ?? []).toEqual(
    [],
  );
  const shown = await runCommand(['render', path, '--show-secrets']);
  expect(shown.output).toContain(Buffer.from(key).toString('base64'));
});

function padded(text: string): string {
  const bare = text.replace(/=+$/, '');
  return bare.slice(0, bare.length - (bare.length % 4));
}
