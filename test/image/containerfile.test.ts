import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { buildBundles } from '../../scripts/build.ts';
import { imageLabels, runtimeConfig } from '../../scripts/image/image-config.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

interface Instruction {
  readonly name: string;
  readonly rest: string;
}

const instructions = parse(await readFile(join(root, 'Containerfile'), 'utf8'));
const finalStage = instructions.slice(instructions.findLastIndex(({ name }) => name === 'FROM'));

function parse(text: string): readonly Instruction[] {
  const lines = text
    .replaceAll(/^#.*\n/gm, '')
    .replaceAll(/\\\n\s*/g, '')
    .split('\n');
  return lines.flatMap((line) => {
    const { name, rest } = /^(?<name>[A-Z]+)\s+(?<rest>.+)$/.exec(line)?.groups ?? {};
    return name === undefined || rest === undefined ? [] : [{ name, rest }];
  });
}

function one(name: string): string {
  const found = finalStage.filter((instruction) => instruction.name === name);
  expect(found).toHaveLength(1);
  return found[0]!.rest;
}

/** Values of NAME="value" pairs. */
function pairs(text: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from(text.matchAll(/(\S+?)="([^"]*)"/g), ([, name = '', value = '']) => [name, value]),
  );
}

const sources = instructions
  .filter(({ name, rest }) => name === 'COPY' && !rest.startsWith('--from'))
  .flatMap(({ rest }) => rest.split(' ').slice(0, -1));

test('what it copies is there, and .dockerignore lets it through', async () => {
  const ignore = await readFile(join(root, '.dockerignore'), 'utf8');
  const admitted = ignore.split('\n').flatMap((line) => (line.startsWith('!') ? line.slice(1) : []));
  expect(ignore.split('\n')).toContain('*');
  for (const source of sources) {
    expect(existsSync(join(root, source)), source).toBe(true);
    expect(admitted).toContain(source.split('/')[0]);
  }
});

test('what it copies is all that the bundles, and the build itself, are made of', async () => {
  const work = await mkdtemp(join(tmpdir(), 'magnum-containerfile-'));
  try {
    const bundles = await buildBundles(work);
    const entryPoints = ['main', 'dispatcher/main', 'dispatcher/write-compile-cache'].map((name) =>
      join(root, `scripts/image/${name}.ts`),
    );
    const { metafile } = await build({
      entryPoints,
      absWorkingDir: root,
      outdir: work,
      bundle: true,
      packages: 'external',
      platform: 'node',
      format: 'esm',
      write: false,
      metafile: true,
    });
    const inputs = new Set([...bundles.flatMap((bundle) => bundle.inputs), ...Object.keys(metafile.inputs)]);
    const own = [...inputs].filter((path) => !path.includes('node_modules/'));
    expect(own.length).toBeGreaterThan(100);
    expect(
      own.filter(
        (path) => !sources.some((source) => path === source || (source.endsWith('/') && path.startsWith(source))),
      ),
    ).toEqual([]);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
});

test('it takes each layer of the build, and nothing else, on nothing', () => {
  expect(one('FROM')).toBe('scratch');
  const copies = finalStage.filter(({ name }) => name === 'COPY').map(({ rest }) => rest);
  expect(copies).toEqual(['base', 'node', 'app'].map((layer) => `--from=build /rootfs/${layer}/ /`));
  expect(finalStage.map(({ name }) => name)).not.toContain('RUN');
});

test('it runs as the image of npm run image does', () => {
  const { User, Entrypoint, WorkingDir, StopSignal, ExposedPorts, Env } = runtimeConfig;
  expect(one('USER')).toBe(User);
  expect(JSON.parse(one('ENTRYPOINT'))).toEqual(Entrypoint);
  expect(one('WORKDIR')).toBe(WorkingDir);
  expect(one('STOPSIGNAL')).toBe(StopSignal);
  expect([one('EXPOSE')]).toEqual(Object.keys(ExposedPorts));
  expect(Object.entries(pairs(one('ENV'))).map(([name, value]) => `${name}=${value}`)).toEqual(Env);
});

test('it has the labels of the image of npm run image', () => {
  const defaults = Object.fromEntries(
    finalStage.flatMap(({ name, rest }) => (name === 'ARG' ? [rest.split('=', 2) as [string, string]] : [])),
  );
  const labels = Object.entries(pairs(one('LABEL'))).map(([name, value]) => [
    name,
    value.replace(/^\$\{(\w+)\}$/, (_, variable: string) => defaults[variable] ?? ''),
  ]);
  expect(Object.fromEntries(labels)).toEqual(imageLabels({ commit: 'unknown', time: 0 }));
});
