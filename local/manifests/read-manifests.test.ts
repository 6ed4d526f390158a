import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { knativeObjects } from './knative-objects.ts';
import { readManifests } from './read-manifests.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'manifests-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, text);
  return path;
}

const broker = (name: string) =>
  `apiVersion: eventing.knative.dev/v1\nkind: Broker\nmetadata:\n  name: ${name}\n  namespace: magnum-system\n`;

test('a file may hold many objects, as kubectl kustomize prints them', async () => {
  const path = await write('all.yaml', `---\n${broker('one')}---\n\n---\n${broker('two')}`);
  expect((await readManifests(path)).map(({ metadata }) => metadata.name)).toEqual(['one', 'two']);
});

test('a folder has what its kustomization lists, in that order', async () => {
  await write('a.yaml', broker('one'));
  await write('b.yaml', broker('two'));
  await write('other.yaml', broker('three'));
  await write('kustomization.yaml', 'resources: [b.yaml, a.yaml]\nimages: [{name: x, newTag: "1"}]\n');
  expect((await readManifests(folder)).map(({ metadata }) => metadata.name)).toEqual(['two', 'one']);
});

test('a kustomization that changes what it lists is refused, and what to do instead is said', async () => {
  await write('kustomization.yaml', 'resources: []\npatches: [{path: x.yaml}]\n');
  await expect(readManifests(folder)).rejects.toThrow(`kubectl kustomize ${folder}`);
});

test.each([
  ['a duration that is none', 'spec: {delivery: {timeout: 5s}}', 'no ISO 8601 duration'],
  ['a field that would be ignored', 'spec: {config: {name: x}}', 'config'],
])('%s is refused by the name of its object', async (_title, spec, fault) => {
  const manifests = await readManifests(await write('broker.yaml', `${broker('one')}${spec}\n`));
  expect(() => knativeObjects(manifests)).toThrow('Broker one');
  expect(() => knativeObjects(manifests)).toThrow(fault);
});
