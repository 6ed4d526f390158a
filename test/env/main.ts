import { once } from 'node:events';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { keystonePython } from '../cloud/keystone/keystone-environment.ts';
import { kustomizeCommand } from '../knative/kustomize.ts';
import { sherlockPython } from '../kubernetes/sherlock-environment.ts';
import { magnumReleases, shimPackages } from '../shim/shim-packages.ts';
import { resolveAssets } from './assets.ts';
import { startControlPlane } from './control-plane.ts';
import { ControlPlaneError } from './control-plane-error.ts';
import { AssetError } from './go-toolchain.ts';

const usage = `usage: npm run env -- [up] [--dir <folder>] [--api-only]
       npm run env -- --build

A real management cluster of local processes: etcd, kube-apiserver, garbage collection and the Cluster API managers.

  up            start it, print where its kubeconfig is, and stop it on Ctrl-C (the default)
  --dir         keep its files in this folder, empty or absent, instead of a temporary one
  --api-only    etcd and kube-apiserver alone
  --build       only build and install what the tests lack: binaries with Go, Keystone, sherlock and Magnum with Python
  --help        print this

environment:
  TEST_ASSETS_DIR   folder that has the binaries already
  CAPO_CRDS_DIR     folder with the definitions of a release of Cluster API Provider OpenStack
  XDG_CACHE_HOME    where all of it is kept, ~/.cache by default

exit codes: 0 stopped as asked or built, 1 could not be built or started, 2 wrong usage
`;

const exitCodes = { success: 0, failure: 1, usage: 2 } as const;

process.exitCode = await run(process.argv.slice(2));

async function run(args: readonly string[]): Promise<number> {
  const request = readArguments(args);
  if (request === undefined) {
    process.stderr.write(usage);
    return exitCodes.usage;
  }
  if (request.help) {
    process.stdout.write(usage);
    return exitCodes.success;
  }
  try {
    await (request.build ? build() : up(request));
    return exitCodes.success;
  } catch (error) {
    if (error instanceof AssetError || error instanceof ControlPlaneError) {
      process.stderr.write(`${error.message}\n`);
      return exitCodes.failure;
    }
    throw error;
  }
}

interface Request {
  readonly help: boolean;
  readonly build: boolean;
  readonly apiOnly: boolean;
  readonly directory: string | undefined;
}

function readArguments(args: readonly string[]): Request | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        help: { type: 'boolean', short: 'h', default: false },
        build: { type: 'boolean', default: false },
        'api-only': { type: 'boolean', default: false },
        dir: { type: 'string' },
      },
    });
    const known = positionals.length === 0 || (positionals.length === 1 && positionals[0] === 'up');
    return known
      ? { help: values.help, build: values.build, apiOnly: values['api-only'], directory: values.dir }
      : undefined;
  } catch {
    return undefined;
  }
}

async function build(): Promise<void> {
  const assets = await resolveAssets({ onProgress: print });
  const folders = new Set([...assets.values()].map((path) => dirname(path)));
  print(`the binaries are in ${[...folders].join(' and ')}`);
  print(`kustomize is run as ${(await kustomizeCommand({ onProgress: print })).join(' ')}`);
  print(`Keystone is run by ${await keystonePython({ onProgress: print })}`);
  print(`sherlock is run by ${await sherlockPython()}`);
  for (const release of magnumReleases) {
    const { python } = await shimPackages(release, print);
    print(`Magnum ${release} is run by ${python}`);
  }
}

async function up(request: Request): Promise<void> {
  const began = performance.now();
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const directory = request.directory === undefined ? {} : { directory: request.directory };
  const starting = startControlPlane({ ...directory, managers: !request.apiOnly, onProgress: print });
  // An interrupted start needs no farewell: the reaper ends what runs already.
  const controlPlane = await Promise.race([starting, interrupted.then(() => undefined)]);
  if (controlPlane === undefined) {
    process.exit(exitCodes.failure);
  }
  print(`ready after ${Math.round((performance.now() - began) / 1000)} s; Ctrl-C stops it`);
  print(`logs in ${controlPlane.logsDirectory}`);
  print(`export KUBECONFIG=${controlPlane.kubeconfigPath}`);
  await interrupted;
  await controlPlane.stop();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
