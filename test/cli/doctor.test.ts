import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { dump } from 'js-yaml';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { checkIds } from '../../cli/doctor/check-ids.ts';
import { checks } from '../../cli/doctor/checks.ts';
import { chosenChecks } from '../../cli/doctor/run-checks.ts';
import { buildBundles } from '../../scripts/build.ts';
import { bundleEntries } from '../../scripts/bundles.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { runCli } from '../dead-letters/run-cli.ts';
import { waitFor } from '../env/wait-for.ts';
import { writeSourceKubeconfig } from '../system/source-kubeconfig.ts';
import { brokenPrerequisites } from './broken-prerequisites.ts';
import { withEventTokens } from './event-tokens.ts';
import { type Installation, listener, startInstallation } from './installation.ts';
import { makeLimitedUser } from './limited-user.ts';

let installation: Installation;
beforeAll(async () => {
  installation = await startInstallation();
}, 300_000);
afterAll(() => installation?.stop());

const document = z.object({
  checks: z.array(
    z.object({
      id: z.enum(checkIds),
      verdict: z.enum(['ok', 'warning', 'failed', 'unknown', 'skipped']),
      findings: z.array(z.object({ verdict: z.string(), message: z.string() })).min(1),
      remedy: z.string().nullable(),
    }),
  ),
});

/** The last of a repeated option counts here, so that a test can say another kubeconfig. */
function doctor(...args: readonly string[]) {
  const own = args.includes('--kubeconfig') ? [] : ['--kubeconfig', installation.controlPlane.kubeconfigPath];
  return runCli('doctor', ...own, ...args);
}

async function examine(...args: readonly string[]) {
  const { exitCode, output, notes } = await doctor(...args, '-o', 'json');
  expect(notes).toBe('');
  return { exitCode, results: document.parse(JSON.parse(output)).checks };
}

/** Waits until every check is good: what was mended takes a while to be seen. */
function allGood() {
  const probe = async () => {
    const { exitCode, results } = await examine();
    const others = results.filter(({ verdict }) => verdict !== 'ok');
    expect(others).toEqual([]);
    expect(exitCode).toBe(0);
    return results;
  };
  return waitFor(probe, { what: 'everything to be good', timeout: 90_000, interval: 500 });
}

test('an installation that has everything is good in every check', async () => {
  const results = await allGood();
  expect(results.map(({ id }) => id)).toEqual(checkIds);
  const { exitCode, output } = await doctor();
  expect(exitCode).toBe(0);
  expect(output.match(/^✓ {2}[a-z-]+ +.*\.$/gm)).toHaveLength(checkIds.length);
  expect(output.split('\n')).toContain(`${checkIds.length} checks: ${checkIds.length} good.`);
}, 200_000);

describe('each prerequisite is named when it is missing:', () => {
  test('every check is among those that are broken here', () => {
    const broken = new Set(brokenPrerequisites.map(({ id }) => id));
    expect(checkIds.filter((id) => !broken.has(id))).toEqual([]);
  });

  test.each(brokenPrerequisites)('$id, by $what', async ({ id, breakIt, sentence, verdict = 'failed' }) => {
    await allGood();
    const keystone = ['--auth-url', installation.cloud.authUrl];
    const { args = [], mend } = await breakIt(installation);
    try {
      const seen = await waitFor(
        async () => {
          const found = await examine(...(args.includes('--auth-url') ? [] : keystone), ...args);
          const bad = found.results.filter((result) => result.verdict !== 'ok' && result.verdict !== 'skipped');
          expect(bad.map((result) => [result.id, result.verdict])).toEqual([[id, verdict]]);
          return found;
        },
        { what: `${id} alone to be ${verdict}`, timeout: 90_000, interval: 500 },
      );
      expect(seen.exitCode).toBe(verdict === 'failed' ? 1 : 0);
      const result = seen.results.find((each) => each.id === id);
      expect(result?.findings.map(({ message }) => message)).toContainEqual(expect.stringMatching(sentence));
      expect(result?.remedy).toBe(checks.find((check) => check.id === id)?.remedy);
      for (const skipped of seen.results.filter((each) => each.verdict === 'skipped')) {
        expect(chosenChecks(checks, [skipped.id]).map((check) => check.id)).toContain(id);
      }
    } finally {
      await mend();
    }
  });
});

test('tokens of events are good where Eventing sends them and the functions accept them', async () => {
  await allGood();
  const { mend } = await withEventTokens(installation);
  const results = await allGood();
  const message = 'Events come with tokens that the functions accept.';
  expect(results.find(({ id }) => id === 'event-tokens')?.findings).toEqual([{ verdict: 'ok', message }]);
  await mend();
});

test('without --auth-url Keystone is where the functions or a cluster have it, with their authority', async () => {
  await allGood();
  const { create, remove, install } = installation;
  await remove(resources.secret, 'magnum-service-credential');
  const verdicts = async () => (await examine('--check', 'keystone', '--check', 'service-credential')).results;
  expect(await verdicts()).toMatchObject([
    { id: 'namespace', verdict: 'ok' },
    { id: 'keystone', verdict: 'skipped', findings: [{ message: expect.stringContaining('say --auth-url') }] },
    { id: 'service-credential', verdict: 'warning' },
  ]);
  const cloud = await startSimulatedOpenStack({ https: true });
  const base64 = (text = '') => Buffer.from(text).toString('base64');
  const clouds = dump({ clouds: { default: { auth: { auth_url: cloud.authUrl } } } });
  const data = { 'clouds.yaml': base64(clouds), cacert: base64(cloud.caCertificate) };
  await create(resources.secret, { metadata: { name: 'kube-aaaaa-cloud-config' }, data });
  const infrastructureRef = { apiGroup: 'infrastructure.cluster.x-k8s.io', kind: 'OpenStackCluster', name: 'none' };
  await create(resources.cluster, { metadata: { name: 'kube-aaaaa' }, spec: { paused: true, infrastructureRef } });
  expect((await verdicts())[1]).toMatchObject({
    verdict: 'ok',
    findings: [{ message: expect.stringMatching(new RegExp(`^Keystone at ${cloud.authUrl} answers with v3`)) }],
  });
  await remove(resources.cluster, 'kube-aaaaa');
  await remove(resources.secret, 'kube-aaaaa-cloud-config');
  await cloud.stop();
  await install();
});

test('for people there is a mark, the sentence and what to do', async () => {
  await allGood();
  const { exitCode, output } = await doctor('--check', 'keystone', '--auth-url', 'http://127.0.0.1:1');
  expect(exitCode).toBe(1);
  const [finding, remedy, ...rest] = output.trimEnd().split('\n');
  expect(finding).toMatch(/^✗ {2}keystone {2}Keystone at http:\/\/127\.0\.0\.1:1 cannot be reached from here: /);
  expect(remedy).toMatch(/^ +→ Compare the address /);
  expect(rest).toEqual(['', '1 check: 1 failed.']);
});

test('a check that is asked for comes with those that it needs', async () => {
  const { results } = await examine('--check', 'events', '--check', 'clocks');
  const needed = ['namespace', 'knative-serving', 'knative-eventing', 'functions'];
  expect(results.map(({ id }) => id).toSorted()).toEqual([...needed, 'events', 'clocks'].toSorted());
});

test('a user who may not see something is told so, and nothing fails', async () => {
  const { controlPlane, api } = installation;
  const rules = [{ apiGroups: ['eventing.knative.dev'], resources: ['*'], verbs: ['get', 'list'] }];
  const user = await makeLimitedUser(api, { ...controlPlane, name: 'doctor-reader', rules });
  const { exitCode, results } = await examine('--kubeconfig', user.kubeconfig);
  await user.remove();
  expect(exitCode).toBe(0);
  const byVerdict = Map.groupBy(results, ({ verdict }) => verdict);
  expect([...byVerdict.keys()].toSorted()).toEqual(['ok', 'skipped', 'unknown']);
  expect(byVerdict.get('unknown')?.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['contracts', 'controllers', 'namespace', 'keystone']),
  );
  expect(results.find(({ id }) => id === 'controllers')?.findings[0]?.message).toMatch(
    /^Cannot list Deployment: .*forbidden/,
  );
});

test('without an API server there is one sentence', async () => {
  const { directory, controlPlane } = installation;
  const access = { server: 'https://127.0.0.1:1', caCertificate: controlPlane.caCertificate, token: 'none' };
  const nowhere = await doctor('--kubeconfig', await writeSourceKubeconfig(directory, access));
  expect(nowhere).toMatchObject({ exitCode: 1, output: '' });
  expect(nowhere.notes).toMatch(/^magnum-capi: The API server of the management cluster gives no answer: .*\.\n$/);
  const stranger = { server: controlPlane.server, caCertificate: controlPlane.caCertificate, token: 'unknown' };
  const refused = await doctor('--kubeconfig', await writeSourceKubeconfig(directory, stranger));
  expect(refused).toMatchObject({ exitCode: 1, output: '' });
  expect(refused.notes).toMatch(/^magnum-capi: .*Unauthorized\.\n$/);
});

test.each([
  [['--check', 'everything'], /Invalid values/],
  [['--auth-url', 'keystone'], /The --auth-url is no address that begins with http/],
])('%j is wrong usage', async (args, message) => {
  const { exitCode, notes } = await doctor(...args);
  expect(exitCode).toBe(2);
  expect(notes).toMatch(message);
});

test('the bundle runs where no checkout is, and finds the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'magnum-doctor-bundle-'));
  const [bundle] = await buildBundles(
    folder,
    bundleEntries.filter(({ name }) => name === 'magnum-capi'),
  );
  const args = ['doctor', '-o', 'json', '--kubeconfig', installation.controlPlane.kubeconfigPath];
  const { stdout } = await promisify(execFile)(process.execPath, [bundle?.path ?? '', ...args], {
    cwd: folder,
    env: {},
  });
  await rm(folder, { recursive: true });
  expect(document.parse(JSON.parse(stdout)).checks).toEqual((await examine()).results);
});

test('nothing was stored, and no secret was said', async () => {
  const { output } = await doctor();
  expect(output).not.toContain(listener.split('/').at(-1));
  const log = (await readFile(installation.controlPlane.auditLogPath, 'utf8')).trimEnd().split('\n');
  const calls = log.filter((line) => line.includes('"userAgent":"magnum-capi doctor"')).map((line) => JSON.parse(line));
  const writes = calls
    .filter(({ verb }) => !['get', 'list'].includes(verb))
    .map(({ requestURI }) => String(requestURI));
  expect(writes.length).toBeGreaterThan(200);
  expect(writes.filter((uri) => !uri.includes('dryRun=All') && !uri.includes('subjectaccessreviews'))).toEqual([]);
});
