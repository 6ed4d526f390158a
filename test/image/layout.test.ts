import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import packageJson from '../../package.json' with { type: 'json' };
import { bundleEntries } from '../../scripts/bundles.ts';
import { runCommand } from '../env/run-command.ts';
import { buildImageInto, type Descriptor, type ReadLayout, readLayout, sourceDateEpoch } from './image-build.ts';
import { needsPackages, usableLock } from './usable-lock.ts';

const lock = await usableLock();
const subject = lock === undefined ? `the image (${needsPackages})` : 'the image';

let work = '';
let folder = '';
let layout: ReadLayout;

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'magnum-image-test-'));
  if (lock === undefined) return;
  folder = join(work, 'image');
  await buildImageInto(folder, { lock, options: ['--tar', join(work, 'image.tar')] });
  layout = await readLayout(folder);
}, 300_000);

afterAll(() => rm(work, { recursive: true, force: true }));

/** A line of tar's listing for each entry of the image, lowest layer first. */
async function listing(): Promise<readonly string[]> {
  const layers = layout.manifest.layers.map(({ digest }) => join(folder, 'blobs', digest.replace(':', '/')));
  const lists = await Promise.all(
    layers.map((layer) => runCommand('tar', ['--list', '--verbose', '--numeric-owner', '--file', layer])),
  );
  return lists.flatMap((list) => list.trimEnd().split('\n'));
}

async function fileOf(layer: number, path: string): Promise<string> {
  const { digest = '' } = layout.manifest.layers[layer] ?? {};
  const blob = join(folder, 'blobs', digest.replace(':', '/'));
  return runCommand('tar', ['--extract', '--to-stdout', '--gzip', '--file', blob, path]);
}

function digestOf(content: Uint8Array): string {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

const bill = z.object({
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  components: z.array(
    z.object({
      purl: z.string(),
      version: z.string(),
      hashes: z.array(z.object({ alg: z.string(), content: z.string() })),
      licenses: z.array(z.object({})).optional(),
      components: z.array(z.object({ name: z.string() })).optional(),
    }),
  ),
});

describe.skipIf(lock === undefined)(subject, () => {
  test('every descriptor has the digest and the size of what it describes, and every diff id that of its layer', async () => {
    const { image, manifest, config, artifacts } = layout;
    const described: readonly Descriptor[] = [
      image,
      ...[manifest, ...artifacts].flatMap((one) => [
        one.config,
        ...one.layers,
        ...(one.subject === undefined ? [] : [one.subject]),
      ]),
    ];
    for (const one of described) {
      const content = await layout.blob(one);
      expect({ digest: digestOf(content), size: content.byteLength }).toEqual({ digest: one.digest, size: one.size });
    }
    const layers = await Promise.all(manifest.layers.map((one) => layout.blob(one)));
    expect(layers.map((layer) => digestOf(gunzipSync(layer)))).toEqual(config.rootfs.diff_ids);
    expect(config.history).toHaveLength(layers.length);
    expect(JSON.parse(await readFile(join(folder, 'oci-layout'), 'utf8'))).toEqual({ imageLayoutVersion: '1.0.0' });
  });

  test('it runs as nobody in particular, from Node, and says what it is', () => {
    const { config, created, architecture } = layout.config;
    expect(config).toMatchObject({
      User: '65532:65532',
      Entrypoint: ['/usr/local/bin/node', '/app/main.cjs'],
      ExposedPorts: { '8080/tcp': {} },
      StopSignal: 'SIGTERM',
      Labels: {
        'org.opencontainers.image.title': packageJson.name,
        'org.opencontainers.image.version': packageJson.version,
        'org.opencontainers.image.licenses': packageJson.license,
        'org.opencontainers.image.revision': 'a-test',
        'org.opencontainers.image.created': '2026-01-01T00:00:00Z',
      },
    });
    expect(config.Env).toContain('NODE_ENV=production');
    expect(created).toBe(new Date(sourceDateEpoch * 1000).toISOString().replace('.000', ''));
    expect(layout.image.platform).toEqual({ architecture, os: 'linux' });
  });

  test('all is owned by root and of one time, and nothing is writable by others, setuid, a shell or a package manager', async () => {
    const lines = await listing();
    for (const line of lines) expect(line).toMatch(/^(?:[-d]rw[-x]r-[-x]r-[-x]|lrwxrwxrwx) 0\/0 .* 2026-01-01 00:00 /);
    const names = lines.map((line) => line.split(' 00:00 ')[1]?.split(' -> ')[0]?.split('/').at(-1));
    for (const name of ['sh', 'bash', 'dash', 'busybox', 'apt', 'dpkg', 'npm', 'npx'])
      expect(names).not.toContain(name);
  });

  test('it has each bundle with its compile cache, what runs it, and the licences of what is inside', async () => {
    const paths = (await listing()).map((line) => line.split(' 00:00 ')[1]);
    for (const { name, startedBy } of bundleEntries) {
      expect(paths).toContain(`app/${name}.cjs`);
      if (startedBy === 'argument') expect(paths).toContain(`app/${name}.cache`);
    }
    expect(paths).toEqual(
      expect.arrayContaining(['app/main.cjs', 'app/LICENSE', 'usr/local/bin/node', 'usr/share/doc/node/LICENSE']),
    );
    expect(paths.filter((path) => /^app\/licences\/zod@[^/]+\/LICENSE$/.test(path ?? ''))).toHaveLength(1);
    expect(await fileOf(0, 'etc/passwd')).toMatch(/^nonroot:x:65532:65532:/m);
  });

  test('there is no secret in it, and nothing of the machine that built it', async () => {
    const layer = layout.manifest.layers.at(-1);
    const app = gunzipSync(await layout.blob(layer!)).toString('latin1');
    // Said as a yes or no: nobody wants to read ten megabytes.
    expect(/-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----\\?n?[A-Za-z0-9+/]{40}/.test(app)).toBe(false);
    for (const place of [process.cwd(), work, join(tmpdir(), 'magnum-')]) expect(app.includes(place)).toBe(false);
  });

  test('the bill of materials refers to the image and stands beside it too', async () => {
    const [artifact] = layout.artifacts;
    expect(artifact).toMatchObject({
      artifactType: 'application/vnd.cyclonedx+json',
      subject: { digest: layout.image.digest, size: layout.image.size },
    });
    const stored = await layout.blob(artifact!.layers[0]!);
    expect(stored.equals(await readFile(`${folder}.sbom.cdx.json`))).toBe(true);
  });

  test('the bill of materials has what is inside: npm packages of the bundles, Node with its parts, Debian packages', async () => {
    const { components } = bill.parse(JSON.parse(await readFile(`${folder}.sbom.cdx.json`, 'utf8')));
    const purls = components.map(({ purl }) => purl);
    const lines = await listing();
    const licences = lines
      .map((line) => / app\/licences\/(?<name>.+)@(?<version>[^/]+)\/$/.exec(line)?.groups)
      .filter((one) => one !== undefined);
    for (const { name = '', version } of licences) {
      expect(purls).toContain(`pkg:npm/${name.replace('@', '%40')}@${version}`);
    }
    expect(licences.length).toBeGreaterThan(5);
    const statuses = lines.flatMap(
      (line) => / var\/lib\/dpkg\/status\.d\/(?<name>.+[^/])$/.exec(line)?.groups?.['name'] ?? [],
    );
    for (const name of statuses) {
      const version = /^Version: (?<version>.+)$/m.exec(await fileOf(0, `var/lib/dpkg/status.d/${name}`))?.groups?.[
        'version'
      ];
      const encoded = `${encodeURIComponent(name)}@${encodeURIComponent(version ?? '')}`;
      expect(purls).toContainEqual(expect.stringContaining(`pkg:deb/debian/${encoded}?`));
    }
    expect(statuses).toContain('libc6');
    const node = components.find(({ purl }) => purl.startsWith('pkg:npm/node-linux-'));
    expect(node?.version).toBe(process.version.slice(1));
    expect(node?.components?.map(({ name }) => name)).toEqual(expect.arrayContaining(['v8', 'openssl', 'uv']));
    for (const { hashes } of components) expect(hashes[0]?.content).toMatch(/^[0-9a-f]{64,128}$/);
  });

  test('the archive has the same image for whatever takes one out of an archive', async () => {
    const extract = (path: string) =>
      runCommand('tar', ['--extract', '--to-stdout', '--file', join(work, 'image.tar'), path]);
    const [saved] = z
      .tuple([z.object({ Config: z.string(), Layers: z.array(z.string()) })])
      .parse(JSON.parse(await extract('manifest.json')));
    expect(saved.Layers).toEqual(layout.manifest.layers.map(({ digest }) => `blobs/${digest.replace(':', '/')}`));
    expect(saved.Config).toBe(`blobs/${layout.manifest.config.digest.replace(':', '/')}`);
    const { manifests } = z
      .object({ manifests: z.array(z.object({ digest: z.string() })) })
      .parse(JSON.parse(await extract('index.json')));
    expect(manifests.map(({ digest }) => digest)).toEqual([layout.image.digest]);
  });

  test('another build in another folder, time zone and umask has the same bytes', async () => {
    const other = join(work, 'deeper', 'other');
    await buildImageInto(other, {
      lock,
      options: ['--no-cache'],
      environment: { TZ: 'Asia/Kathmandu', LANG: 'tr_TR.UTF-8', TMPDIR: work },
      umask: '0077',
    });
    for (const name of ['index.json', `blobs/${layout.image.digest.replace(':', '/')}`]) {
      expect((await readFile(join(other, name))).equals(await readFile(join(folder, name)))).toBe(true);
    }
    expect((await readFile(`${other}.sbom.cdx.json`)).equals(await readFile(`${folder}.sbom.cdx.json`))).toBe(true);
  });
});

test('a folder with something else is left alone', async () => {
  const precious = join(work, 'precious');
  await mkdir(precious);
  await writeFile(join(precious, 'file'), 'kept');
  await expect(buildImageInto(precious)).rejects.toThrow('has other files than an image');
  expect(await readFile(join(precious, 'file'), 'utf8')).toBe('kept');
});

test.each([
  ['--output', 'package.json', 'There is no image: ENOTDIR'],
  ['--rootfs', 'scripts', 'is not empty'],
  ['--base', '/nowhere', 'cannot be read as the root file system'],
  ['--lock', 'package.json', 'is no lock of packages'],
])('%s %s is refused in a sentence', async (option, value, complaint) => {
  const error = await buildImageInto(join(work, 'refused'), { options: [option, value] }).catch((reason) => reason);
  expect(error.message).toContain(complaint);
  // Of what goes wrong outside, nobody wants to see where in the code.
  expect(error.message).not.toMatch(/^\s+at /m);
});
