import { chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { bundleEntries } from '../../scripts/bundles.ts';
import { functionNames } from '../../shared/contract/event-types.ts';
import { findProgram } from '../env/debian-packages.ts';
import { createEvent } from '../functions/create-event.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { writeServiceCloud } from '../functions/service-cloud-file.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { type Container, confinementOf, type Runtime, startContainer } from './container.ts';
import { buildImageInto, type ReadLayout, unpackImage } from './image-build.ts';
import { runc } from './runc.ts';
import { unshare } from './unshare.ts';
import { needsPackages, usableLock } from './usable-lock.ts';

const isRoot = process.getuid?.() === 0;
const runcProgram = await findProgram('runc');
const hasNamespaces = (await findProgram('unshare')) !== undefined && (await findProgram('chroot')) !== undefined;
const runtimes: readonly Runtime[] = [
  ...(isRoot && runcProgram !== undefined ? [runc(runcProgram)] : []),
  ...(isRoot && hasNamespaces ? [unshare] : []),
];
const [runtime] = runtimes;
const lock = runtime === undefined ? undefined : await usableLock();
/** Changing the root, and becoming another user, is root's alone. */
const need = runtime === undefined ? 'needs root, and runc or unshare' : needsPackages;
const subject = lock === undefined ? `the image (${need})` : 'the image';

const stage = stageOfFile();

let work = '';
let rootfs = '';
let layout: ReadLayout;
const started: Container[] = [];

beforeAll(async () => {
  work = await mkdtemp(join(tmpdir(), 'magnum-container-test-'));
  if (lock === undefined) return;
  rootfs = join(work, 'rootfs');
  await mkdir(rootfs);
  await buildImageInto(join(work, 'image'), { lock });
  layout = await unpackImage(join(work, 'image'), rootfs);
}, 300_000);

afterAll(async () => {
  await Promise.all(started.map((one) => one.stop()));
  await rm(work, { recursive: true, force: true });
});

const accountFolder = '/var/run/secrets/kubernetes.io/serviceaccount';
const cloudFolder = '/etc/openstack';

/** Runs the image with arguments, as a pod of a Service of knative/ does. */
async function run(
  args: readonly string[],
  {
    by = runtime,
    variables = {},
  }: { readonly by?: Runtime | undefined; readonly variables?: Record<string, string> } = {},
): Promise<Container> {
  if (by === undefined) throw new Error('There is no runtime.');
  const { Env, Entrypoint, User } = layout.config.config;
  const { hostname, port } = new URL(inject('server'));
  const kubernetes = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
  const own = Object.fromEntries(Env.map((line) => line.split('=', 2)));
  const cloud = { OS_CLIENT_CONFIG_FILE: `${cloudFolder}/clouds.yaml` };
  const container = await startContainer(by, {
    rootfs,
    command: [...Entrypoint, ...args],
    environment: { ...own, ...kubernetes, ...cloud, PORT: '0', ...variables },
    user: User,
    mounts: { [accountFolder]: await account(args[0] ?? ''), [cloudFolder]: await cloudFile() },
  });
  started.push(container);
  return container;
}

async function account(name: string): Promise<string> {
  const folder = join(work, `account-${name}`);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'token'), stage().access.tokens[name] ?? '');
  await writeFile(join(folder, 'ca.crt'), inject('caCertificate'));
  return folder;
}

async function cloudFile(): Promise<string> {
  const folder = join(work, 'cloud');
  await mkdir(folder, { recursive: true });
  const { OS_CLIENT_CONFIG_FILE: file = '' } = await writeServiceCloud(folder, stage().cloud);
  await chown(file, 65_532, 65_532);
  return folder;
}

const services = bundleEntries.filter(
  ({ startedBy, arguments: given }) => startedBy === 'argument' && given === undefined,
);

describe.skipIf(lock === undefined)(subject, () => {
  test.each(services)(
    '$name starts from the layout as user 65532 with a read-only root, is ready, and ends with 0 on SIGTERM',
    async ({ name }) => {
      const container = await run([name]);
      const url = await container.url();
      const readiness = await fetch(new URL('/health/readiness', url));
      expect(readiness.status).toBe(200);
      expect(await confinementOf(await container.pid())).toEqual({
        user: '65532',
        group: '65532',
        capabilities: '0000000000000000',
        root: 'read-only',
      });
      await container.signal('SIGTERM');
      expect(await container.ended).toBe(0);
      // It would say so if its compile cache did not fit.
      expect(container.complaints).toEqual([]);
    },
  );

  test.each(runtimes)('$name runs create, which answers a real event', async (by) => {
    const container = await run(['create'], { by });
    const event = await createEvent(stage().cloud);
    const stackId = acceptedStackId(await stage().send(event, await container.url()));
    expect(stackId).toMatch(/^kube-[a-z0-9]{5}$/);
    await container.signal('SIGTERM');
    expect(await container.ended).toBe(0);
  });

  test('the command line starts from the layout too', async () => {
    const container = await run(['magnum-capi', '--help']);
    expect(await container.ended).toBe(0);
    expect(container.lines.join('\n')).toContain('magnum-capi <command>');
    expect(container.complaints).toEqual([]);
  });

  test.each([[['unheard-of']], [[]], [['telemetry']], [['../app/create']]])(
    'the arguments %j end with 2, and with the names of all that can be started',
    async (args) => {
      const container = await run(args);
      expect(await container.ended).toBe(2);
      for (const name of [...functionNames, 'dead-letters', 'magnum-capi']) {
        expect(container.complaints.join('\n')).toContain(name);
      }
      expect(container.lines).toEqual([]);
    },
  );

  test('a function whose compile cache does not fit says so, and starts all the same', async () => {
    const container = await run(['health'], { variables: { NODE_OPTIONS: '--jitless' } });
    expect((await fetch(new URL('/health/readiness', await container.url()))).status).toBe(200);
    await container.signal('SIGTERM');
    await container.ended;
    expect(container.complaints.join('\n')).toContain('the compile cache does not fit');
  });

  test('a stack trace names the file of the image', async () => {
    const container = await run(['health'], {
      variables: { KUBERNETES_SERVICE_HOST: '127.0.0.1', SERVICE_ACCOUNT_DIRECTORY: '/nowhere' },
    });
    expect(await container.ended).not.toBe(0);
    expect([...container.lines, ...container.complaints].join('\n')).toMatch(/\/app\/health\.cjs:\d+/);
  });
});
