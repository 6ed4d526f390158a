import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { runCommand } from '../env/run-command.ts';
import { cleanEnvironment } from './clean-environment.ts';
import { runPytest } from './run-pytest.ts';
import { magnumReleases, shimPackages } from './shim-packages.ts';
import { buildWheel, copyTests, shimSource } from './shim-wheel.ts';

const optionsDocument = fileURLToPath(new URL('options-document.py', import.meta.url));
const lookAtInstalled = fileURLToPath(new URL('look-at-installed.py', import.meta.url));
/** What the first run fetches may take minutes. */
const firstTime = 900_000;
/** Five times what it takes on two idle cores. */
const pytestTime = 900_000;

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'shim-test-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

// Side by side, since for more than half of their time they wait.
describe.concurrent.each(magnumReleases)('on Magnum %s', (release) => {
  let folder: string;
  let directory: string;
  let wheel: string;
  let packages: Awaited<ReturnType<typeof shimPackages>>;
  beforeAll(async () => {
    packages = await shimPackages(release);
    folder = join(root, release);
    await mkdir(folder);
    directory = await copyTests(join(folder, 'repository'));
    wheel = await buildWheel(folder, packages);
  }, firstTime);

  describe('the wheel alone', () => {
    let python: string;
    beforeAll(async () => {
      python = await cleanEnvironment({ folder: join(folder, 'clean'), packages, install: [wheel] });
    });

    test('brings five drivers, which need no network to be looked at', async () => {
      const found = drivers.parse(JSON.parse(await runCommand(python, ['-P', lookAtInstalled])));
      expect(Object.fromEntries(Object.entries(found).map(([name, { provides }]) => [name, provides]))).toEqual({
        k8s_cluster_api_debian: [{ server_type: 'vm', os: 'debian', coe: 'kubernetes' }],
        k8s_cluster_api_flatcar: [{ server_type: 'vm', os: 'flatcar', coe: 'kubernetes' }],
        k8s_cluster_api_rockylinux: [{ server_type: 'vm', os: 'rockylinux', coe: 'kubernetes' }],
        k8s_cluster_api_ubuntu: [{ server_type: 'vm', os: 'ubuntu', coe: 'kubernetes' }],
        k8s_cluster_api_ubuntu_focal: [{ server_type: 'vm', os: 'ubuntu-focal', coe: 'kubernetes' }],
      });
      expect(Object.values(found).filter(({ file }) => !file.startsWith(folder))).toEqual([]);
    });

    test('brings a listener that says how it is used', async () => {
      const help = await runCommand(join(dirname(python), 'magnum-capi-listener'), ['--help']);
      expect(help).toMatch(/usage: magnum-capi-listener/);
      expect(help).toContain('--config-file');
    });

    test('brings options that Magnum’s own tools find', async () => {
      const generator = ['-P', '-m', 'oslo_config.generator', '--namespace', 'magnum_capi_functions'];
      expect(await runCommand(python, generator)).toMatch(/^\[capi_functions\]$[^[]*^#functions_url = /m);
    });

    test('has the options that stand in docs/options.md, which vitest -u writes', async ({ expect: expectHere }) => {
      const document = await runCommand(python, ['-P', optionsDocument]);
      await expectHere(document).toMatchFileSnapshot('../../docs/options.md');
    });
  });

  test('its own tests pass', { timeout: pytestTime + 60_000 }, async () => {
    const python = await cleanEnvironment({
      folder: join(folder, 'tested'),
      packages,
      install: [`${wheel}[test,kubeconfig]`],
    });
    const onProgress = (share: string) => process.stderr.write(`shim: pytest on Magnum ${release}: ${share}\n`);
    const last = await runPytest(python, { directory, timeout: pytestTime, onProgress });
    process.stderr.write(`shim: pytest on Magnum ${release}: ${last}\n`);
    expect(last).toMatch(/^\d+ passed/);
    expect(last).not.toMatch(/failed|error/);
  });

  // The others run without it, as most installations do.
  test('makes spans where OpenTelemetry is in the process', { timeout: firstTime }, async () => {
    const python = await cleanEnvironment({
      folder: join(folder, 'traced'),
      packages,
      install: [`${wheel}[test,kubeconfig]`, 'opentelemetry-sdk'],
    });
    const files = ['tests/test_opentelemetry.py', 'tests/test_tracing.py'];
    const last = await runPytest(python, { directory, files, timeout: pytestTime, onProgress: () => undefined });
    expect(last).toMatch(/^\d+ passed(?!.*skipped)/);
  });
});

describe('ruff', () => {
  let ruff: string;
  beforeAll(async () => {
    const packages = await shimPackages('23');
    const python = await cleanEnvironment({ folder: join(root, 'ruff'), packages, install: ['ruff'] });
    ruff = join(dirname(python), 'ruff');
  }, firstTime);

  test.each([
    ['finds nothing to complain about', ['check', '--no-cache']],
    ['finds every file formatted', ['format', '--check', '--no-cache']],
  ])('%s', async (_title, [command = '', ...options]) => {
    await runCommand(ruff, [command, ...options, '.'], { directory: shimSource });
  });
});

/** What `look-at-installed.py` prints, by the name of the driver. */
const drivers = z.record(
  z.string(),
  z.object({
    provides: z.array(z.object({ server_type: z.string(), os: z.string(), coe: z.string() })),
    file: z.string(),
  }),
);
