import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import { readRecord } from '../../shared/kubernetes/operation-record.ts';
import { resources } from '../../shared/kubernetes/resources.ts';
import { stackId } from '../../shared/magnum/stack-id.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { createEvent } from '../functions/create-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { type CommandOptions, type CommandResult, runCommand } from './command-process.ts';

const stage = stageOfFile();

let directory = '';
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'magnum-send-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** Sends to the process of a function, by the administrator's kubeconfig. */
async function send(name: FunctionName, args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  const { url } = await stage().processOf(name);
  return runCommand(['send', ...args, '--url', url, '--kubeconfig', inject('kubeconfigPath')], options);
}

const sendInput = (name: FunctionName, event: object, args: readonly string[] = []) =>
  send(name, ['-', ...args], { input: JSON.stringify(event) });

async function recordOf(name: string) {
  const cluster = await stage().kubernetes.get(resources.cluster, { namespace, name });
  return readRecord(cluster.metadata?.annotations, null);
}

describe('an event that is sent', () => {
  test('is accepted as one of the conductor, with an id and a time of its own', async () => {
    const event = await createEvent(stage().cloud);
    const name = stackId(event.subject, 0);
    const { exitCode, output, notes } = await sendInput('create', { ...event, time: '2020-01-01T00:00:00Z' });
    expect({ exitCode, output, notes }).toEqual({ exitCode: 0, output: `✓ accepted: ${name}\n`, notes: '' });
    const record = await recordOf(name);
    expect(record?.id).toMatch(/^req-[0-9a-f-]{36}$/);
    expect(record?.id).not.toBe(event.id);
    expect(Date.parse(record?.started ?? '')).toBeGreaterThan(Date.now() - 60_000);
  });

  test('keeps both where that is asked for', async () => {
    const event = await createEvent(stage().cloud);
    const { exitCode } = await sendInput('create', event, ['--keep-id']);
    expect(exitCode).toBe(0);
    expect(await recordOf(stackId(event.subject, 0))).toMatchObject({ id: event.id });
  });

  test('may be data alone, with the token of a user from the environment', async () => {
    const event = await createEvent(stage().cloud);
    const { token, ...context } = event.data.context;
    const { exitCode, output } = await send('create', ['-', '--type', 'cluster.create', '-o', 'json'], {
      input: JSON.stringify({ ...event.data, context }),
      variables: { OS_TOKEN: String(token) },
    });
    expect(exitCode).toBe(0);
    expect(JSON.parse(output)).toMatchObject({
      kind: 'reply',
      attributes: { type: 'org.openstack.magnum.operation.accepted.v1', subject: event.subject },
      data: { stack_id: stackId(event.subject, 0) },
    });
  });

  test('is rejected with each fault, and exit code 1', async () => {
    const event = await createEvent(stage().cloud, { labels: { kube_tag: 'newest', boot_volume_size: 'large' } });
    const { exitCode, output, notes } = await sendInput('create', event);
    expect(exitCode).toBe(1);
    expect(output).toBe('');
    expect(notes.split('\n').filter((line) => line.startsWith('✗'))).toHaveLength(2);
    expect(notes).toMatch(/kube_tag.*newest/);
    expect(notes).toMatch(/boot_volume_size.*large/);
  });

  test('is refused where the function refuses it, and says why', async () => {
    const event = await createEvent(stage().cloud);
    const anonymous = await sendInput('create', event, ['--anonymous']);
    expect(anonymous).toMatchObject({
      exitCode: 1,
      output: '',
      notes: expect.stringMatching(/^✗ The request has no header Authorization with a token\.$/m),
    });
    const { exitCode, notes } = await sendInput('resize', event);
    expect(exitCode).toBe(1);
    expect(notes).toContain('does not take events of this type');
  });
});

describe('a request without a file', () => {
  test('asks for the status of a cluster by its stack id, its UUID or its name', async () => {
    const created = await createEvent(stage().cloud, { cluster: { name: 'night-shift' } });
    expect((await sendInput('create', created)).exitCode).toBe(0);
    const name = stackId(created.subject, 0);
    for (const asked of [name, created.subject, 'night-shift']) {
      const args = ['--type', 'cluster.status.requested', '--cluster', asked];
      const { exitCode, output } = await send('status', args);
      expect(exitCode).toBe(0);
      const [head, reason] = output.split('\n');
      expect(head).toBe(`${name}  CREATE_IN_PROGRESS  ${created.subject}  v1.33.4`);
      expect(reason).toMatch(/\.$/);
      expect(output).toMatch(/^default-worker +CREATE_IN_PROGRESS/m);
    }
  });

  test('that would change something is wrong usage', async () => {
    const args = ['--type', 'cluster.delete', '--cluster', '3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01'];
    const { exitCode, notes } = await send('delete', args);
    expect(exitCode).toBe(2);
    expect(notes).toContain('give a file');
  });
});

describe('the token', () => {
  test('comes from a file or the environment where one is given, and is in no output', async () => {
    const token = stage().access.callerToken;
    const path = join(directory, 'token');
    await writeFile(path, `${token}\n`);
    const args = ['--type', 'cluster.status.requested', '--cluster', '3f0c6f0e-5a77-4c1b-9a35-6f5b0c0f9a01'];
    const { url } = await stage().processOf('status');
    const runs = [
      await runCommand(['send', ...args, '--url', url, '--token-file', path]),
      await runCommand(['send', ...args, '--url', url], { variables: { MAGNUM_CAPI_TOKEN: token } }),
    ];
    for (const { exitCode, output, notes } of runs) {
      expect(exitCode).toBe(0);
      expect(`${output}${notes}`).not.toContain(token);
    }
    const wrong = await runCommand(['send', ...args, '--url', url], { variables: { MAGNUM_CAPI_TOKEN: 'eyJwrong' } });
    expect(wrong.exitCode).toBe(1);
    expect(`${wrong.output}${wrong.notes}`).not.toContain('eyJwrong');
  });
});
