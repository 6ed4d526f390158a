import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { rollOut } from '../adoption/workloads.ts';
import { waitFor } from '../env/wait-for.ts';
import { expectNothingLeft } from '../functions/traces.ts';
import { exampleTemplate, newestVersion, newVersion } from './example-template.ts';
import type { CallFate } from './function-gateway.ts';
import { magnumOfFile } from './magnum-of-file.ts';
import type { Killable } from './magnum-services.ts';

// Whatever ends in the middle of an operation: the cluster comes to its right end, and nobody has to help.

/** Short, so that what cannot be sent again is given up within a test. */
const stage = magnumOfFile({ driverOptions: { operation_timeout: 30 } });
/** Milliseconds. */
const minute = 60_000;
let template = '';
/** Ids of the templates of newer versions. */
const templates = new Map<string, string>();
let clusters = 0;

beforeAll(async () => {
  const { magnum } = stage();
  template = await magnum.createTemplate(exampleTemplate());
  for (const version of [newVersion, newestVersion]) {
    const fields = exampleTemplate({ name: version.replaceAll('.', '-'), labels: { kube_tag: version } });
    templates.set(version, await magnum.createTemplate(fields));
  }
});

afterEach(() => {
  stage().gateway.fateOf = () => 'pass';
});

function createCluster(): Promise<string> {
  clusters += 1;
  const counts = { master_count: 1, node_count: 1 };
  const fields = { name: `c${clusters}`, cluster_template_id: template, keypair: 'mykey', ...counts };
  return stage().magnum.createCluster(fields);
}

/** A part that ends at the next call of that type. */
interface Interruption {
  readonly part: Killable;
  readonly type: string;
  /** What becomes of the call itself. */
  readonly fate: Exclude<CallFate, 'pass'>;
}

/** Ends the part when the call comes, and starts it again. Resolves when it runs. */
function interruptionAt({ part, type, fate }: Interruption): Promise<void> {
  const { gateway } = stage();
  return new Promise((resolve, reject) => {
    gateway.fateOf = (call) => {
      if (!call.type.endsWith(type)) return 'pass';
      gateway.fateOf = () => 'pass';
      part
        .kill()
        .then((startAgain) => startAgain())
        .then(resolve, reject);
      return fate;
    };
  });
}

const moments = [
  { moment: 'before the function hears of it', fate: 'drop' },
  { moment: 'before it hears that the function has done it', fate: 'lose' },
] as const;

interface Operation {
  readonly title: string;
  /** End of the event's type. */
  readonly type: string;
  readonly run: (uuid: string) => Promise<unknown>;
  /** Throws while the cluster is not as the operation was to make it. */
  readonly isDone: (uuid: string) => Promise<void>;
}

function nodegroupIs(name: string, fields: object) {
  return async (uuid: string) => {
    expect(await stage().magnum.nodegroup(uuid, name)).toMatchObject(fields);
  };
}

const operations: readonly Operation[] = [
  {
    title: 'a resize up',
    type: 'cluster.resize.v1',
    run: (uuid) => stage().magnum.resize(uuid, { node_count: 2 }),
    isDone: nodegroupIs('default-worker', { status: 'UPDATE_COMPLETE', node_count: 2 }),
  },
  {
    title: 'a new nodegroup',
    type: 'nodegroup.create.v1',
    run: (uuid) => stage().magnum.createNodegroup(uuid, { name: 'more', node_count: 1, merge_labels: true }),
    isDone: nodegroupIs('more', { status: 'CREATE_COMPLETE', node_addresses: [expect.any(String)] }),
  },
  {
    title: 'a change of a nodegroup',
    type: 'nodegroup.update.v1',
    run: (uuid) => stage().magnum.patchNodegroup(uuid, 'more', [{ op: 'replace', path: '/max_node_count', value: 4 }]),
    isDone: nodegroupIs('more', { status: 'UPDATE_COMPLETE' }),
  },
  {
    title: 'the end of a nodegroup',
    type: 'nodegroup.delete.v1',
    run: (uuid) => stage().magnum.deleteNodegroup(uuid, 'more'),
    isDone: async (uuid) => expect(stage().rows.nodegroup(uuid, 'more')).toBeUndefined(),
  },
];

/** Waits until an operation has come to its end, in Magnum's rows and in truth. */
async function untilDone(uuid: string, { title, isDone }: Operation): Promise<void> {
  const { rows } = stage();
  const probe = async () => {
    expect(rows.cluster(uuid)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    await isDone(uuid);
  };
  await waitFor(probe, { what: `the end of ${title}`, timeout: 240_000, interval: 500 });
}

describe('The conductor is killed', () => {
  let uuid = '';

  beforeAll(async () => {
    uuid = await createCluster();
    await stage().magnum.untilCluster(uuid, 'CREATE_COMPLETE');
  }, 300_000);

  describe.each(moments)('$moment,', ({ fate }) => {
    beforeEach(async () => {
      const { magnum, rows } = stage();
      if (rows.nodegroup(uuid, 'default-worker')?.node_count === 1) return;
      const since = performance.now();
      await magnum.resize(uuid, { node_count: 1 });
      await rows.ended(uuid, since);
    });

    test.each(operations)('$title comes to its end', async (operation) => {
      const interrupted = interruptionAt({ part: stage().conductor, type: operation.type, fate });
      await operation.run(uuid);
      await interrupted;
      await untilDone(uuid, operation);
    });
  });

  test.each([
    { ...moments[0], version: newVersion },
    { ...moments[1], version: newestVersion },
  ])('$moment, an upgrade to $version goes on', async ({ fate, version }) => {
    const { conductor, magnum, rows } = stage();
    const target = templates.get(version) ?? '';
    const interrupted = interruptionAt({ part: conductor, type: 'cluster.upgrade.v1', fate });
    // The API waits for the dead conductor until its own time is up.
    const asked = magnum.upgrade(uuid, target).catch((error: unknown) => error);
    await interrupted;
    const probe = async () => {
      expect(rows.cluster(uuid)).toMatchObject({
        status: 'UPDATE_COMPLETE',
        coe_version: version,
        cluster_template_id: target,
      });
    };
    await waitFor(probe, { what: 'the end of the upgrade', timeout: 400_000 });
    await asked;
  });

  test('before it hears that the function has done it, a rotation of the credential goes on', async () => {
    const { conductor, magnum, rows, system } = stage();
    const userId = system.cloud.state.users.find(({ name }) => name === 'demo')?.id ?? '';
    const ids = async () => {
      const credentials = await system.cloud.identity.credentialsOf(userId);
      return credentials.flatMap(({ id, name }) => (name.startsWith(uuid) ? [id] : []));
    };
    const [before = ''] = await ids();
    const interrupted = interruptionAt({ part: conductor, type: 'credential.rotate.v1', fate: 'lose' });
    const asked = magnum.rotateCredential(uuid).catch((error: unknown) => error);
    await interrupted;
    const probe = async () => {
      await rollOut(stage().system, rows.cluster(uuid)?.stack_id ?? '');
      await system.local.ping();
      const now = await ids();
      expect(now).toHaveLength(1);
      expect(now).not.toContain(before);
    };
    await waitFor(probe, { what: 'the old credential to go', timeout: 120_000, interval: 2_000 });
    await asked;
    expect(rows.cluster(uuid)).toMatchObject({ status: 'UPDATE_COMPLETE' });
  });

  test('a delete comes to its end', async () => {
    const { conductor, magnum, rows, system } = stage();
    const stackId = rows.cluster(uuid)?.stack_id ?? '';
    const interrupted = interruptionAt({ part: conductor, type: 'cluster.delete.v1', fate: 'drop' });
    await magnum.deleteCluster(uuid);
    await interrupted;
    await magnum.untilGone(uuid);
    await expectNothingLeft(system, { uuid, stackId });
  });

  test('a create that the functions have heard of comes to its end', async () => {
    const { conductor, magnum } = stage();
    const interrupted = interruptionAt({ part: conductor, type: 'cluster.create.v1', fate: 'lose' });
    const created = await createCluster();
    await interrupted;
    await magnum.untilCluster(created, 'CREATE_COMPLETE');
    await magnum.deleteCluster(created);
    await magnum.untilGone(created);
  });

  test('a create that nobody has heard of fails with a sentence, and can be deleted', async () => {
    const { conductor, magnum, rows } = stage();
    const interrupted = interruptionAt({ part: conductor, type: 'cluster.create.v1', fate: 'drop' });
    const since = performance.now();
    const created = await createCluster();
    await interrupted;
    const row = await rows.ended(created, since, 240_000);
    expect(row).toMatchObject({
      status: 'CREATE_FAILED',
      status_reason: expect.stringMatching(/Delete the cluster and create it again\.$/),
    });
    await magnum.deleteCluster(created);
    await magnum.untilGone(created);
  });
});

describe('For a minute there', () => {
  let uuid = '';

  beforeAll(async () => {
    uuid = await createCluster();
    await stage().magnum.untilCluster(uuid, 'CREATE_COMPLETE');
  }, 300_000);

  test('is no listener: the conductor asks instead', async () => {
    const { listener, magnum, rows } = stage();
    const startAgain = await listener.kill();
    const since = performance.now();
    await Promise.all([magnum.resize(uuid, { node_count: 2 }), delay(minute)]);
    await startAgain();
    expect(await rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_COMPLETE', status_reason: null });
    expect(await magnum.nodegroup(uuid, 'default-worker')).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 2 });
  });

  test('are no functions: the operation is carried out when they are back', async () => {
    const { functions, magnum, rows } = stage();
    const startAgain = await functions.kill();
    const since = performance.now();
    await Promise.all([magnum.resize(uuid, { node_count: 1 }), delay(minute)]);
    expect(rows.cluster(uuid)).toMatchObject({ status: 'UPDATE_IN_PROGRESS' });
    expect(rows.nodegroup(uuid, 'default-worker')).toMatchObject({
      status: 'UPDATE_IN_PROGRESS',
      status_reason: expect.stringMatching(/sent again/),
    });
    await startAgain();
    expect(await rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_COMPLETE', status_reason: null });
    expect(await magnum.nodegroup(uuid, 'default-worker')).toMatchObject({ status: 'UPDATE_COMPLETE', node_count: 1 });
  });

  test('is no RabbitMQ: what was asked before ends, and what is asked afterwards too', async () => {
    const { rabbitMq, magnum, rows } = stage();
    const since = performance.now();
    await magnum.resize(uuid, { node_count: 2 });
    await waitFor(async () => expect(rows.cluster(uuid)?.status).toBe('UPDATE_IN_PROGRESS'), { what: 'the beginning' });
    const startAgain = await rabbitMq.kill();
    await delay(minute);
    await startAgain();
    expect(await rows.ended(uuid, since)).toMatchObject({ status: 'UPDATE_COMPLETE' });
    await magnum.deleteCluster(uuid);
    await magnum.untilGone(uuid);
  });
});
