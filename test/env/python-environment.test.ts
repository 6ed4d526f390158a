import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { cacheRoot } from '../../scripts/cache-root.ts';
import { pythonEnvironment, pythonWheels } from './python-environment.ts';

let root: string;
let environment: NodeJS.ProcessEnv;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'python-environment-test-'));
  environment = { XDG_CACHE_HOME: join(root, 'cache') };
  vi.stubEnv('PATH', join(root, 'bin'));
});

afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(root, { recursive: true });
});

/** A `python3` that logs its arguments; as the venv module it copies itself. */
async function stubPython({ version = '3.12.1', fails = 'nothing' } = {}): Promise<string> {
  const calls = join(root, 'calls');
  const program = `#!${process.execPath}
const { appendFileSync, copyFileSync, mkdirSync, writeFileSync } = require('node:fs');
const args = process.argv.slice(2);
appendFileSync(${JSON.stringify(calls)}, args.join(' ') + '\\n');
if (args[0] === '--version') console.log('Python ${version}');
if (args[1] === '${fails}') {
  console.error('no ${fails} here');
  process.exit(1);
}
if (args[2] === 'download') {
  const folder = args[args.indexOf('--dest') + 1];
  mkdirSync(folder, { recursive: true });
  writeFileSync(folder + '/thing.whl', '');
}
if (args[1] === 'venv') {
  const folder = args.at(-1);
  mkdirSync(folder + '/bin', { recursive: true });
  copyFileSync(process.argv[1], folder + '/bin/python');
}
`;
  await mkdir(join(root, 'bin'));
  await writeFile(join(root, 'bin', 'python3'), program);
  await chmod(join(root, 'bin', 'python3'), 0o755);
  return calls;
}

function make(requirements = ['thing==1.2.3', 'other==4.5'], onProgress?: (line: string) => void) {
  const progress = onProgress === undefined ? {} : { onProgress };
  return pythonEnvironment({ purpose: 'The thing', requirements, environment, ...progress });
}

test('it is made once, with progress, in a folder that names the first package and Python', async () => {
  const calls = await stubPython();
  const lines: string[] = [];
  const python = await make(undefined, (line) => lines.push(line));
  expect(python).toMatch(/thing-1\.2\.3-[0-9a-f]{8}-python-3\.12\.1-.+\/bin\/python$/);
  expect(lines).toEqual([
    'making a Python environment with thing==1.2.3, the first time takes a minute ...',
    expect.stringMatching(/^making it is done in \d+ s$/),
  ]);
  expect(await readFile(calls, 'utf8')).toMatch(/ install .*thing==1\.2\.3 other==4\.5/);
  expect(await make(undefined, (line) => lines.push(line))).toBe(python);
  expect(lines).toHaveLength(2);
});

test('another version of any package is another environment', async () => {
  await stubPython();
  expect(await make(['thing==1.2.3', 'other==4.6'])).not.toBe(await make());
});

test('two that need the same at once make it once, and leave nothing else', async () => {
  const calls = await stubPython();
  const [one, two] = await Promise.all([make(), make()]);
  expect(one).toBe(two);
  expect((await readFile(calls, 'utf8')).match(/ install /g)).toHaveLength(1);
  expect(await readdir(cacheRoot(environment))).toHaveLength(1);
});

test('what a killed installer left is removed, and is not taken for an environment', async () => {
  await stubPython();
  const folder = join(await make(), '..', '..');
  await rm(folder, { recursive: true });
  await mkdir(`${folder}.work-left`);
  await make();
  expect(await readdir(cacheRoot(environment))).toHaveLength(1);
});

test('wheels are fetched once, without what they depend on, beside the environment of the same packages', async () => {
  const calls = await stubPython();
  const requirements = ['thing==1.2.3', 'other==4.5'];
  const wheels = () => pythonWheels({ purpose: 'The thing', requirements, environment });
  const folder = await wheels();
  expect(await readdir(folder)).toEqual(['thing.whl']);
  expect(await wheels()).toBe(folder);
  expect((await readFile(calls, 'utf8')).match(/ download .*--no-deps .*thing==1\.2\.3 other==4\.5/g)).toHaveLength(1);
  await make(requirements);
  expect((await readdir(cacheRoot(environment))).toSorted()).toMatchObject([
    expect.stringMatching(/^thing-1\.2\.3-/),
    expect.stringMatching(/^wheels-thing-1\.2\.3-/),
  ]);
});

test('without Python, one sentence says what to install', async () => {
  await expect(make()).rejects.toThrow(
    /^The thing needs Python 3\.11 or newer: install python3 with its venv module \(.+\)\.$/,
  );
});

test.each(['3.9.18', '2.7.18'])('a Python %s is too old, and named', async (version) => {
  await stubPython({ version });
  await expect(make()).rejects.toThrow(`needs Python 3.11 or newer, but this is Python ${version}: install`);
});

test.each([
  ['venv', 'The thing needs python3 with its venv module (on Debian, the package python3-venv):'],
  ['pip', 'The thing needs thing==1.2.3 and what that depends on: let pip reach a package index.'],
])('where %s fails, the error says what is needed and what it complained about', async (fails, words) => {
  await stubPython({ fails });
  const failure = make();
  await expect(failure).rejects.toThrow(words);
  await expect(failure).rejects.toThrow(`no ${fails} here`);
  expect(await readdir(cacheRoot(environment))).toEqual([]);
});
