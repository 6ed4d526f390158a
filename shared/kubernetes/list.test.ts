import { afterEach, describe, expect, it } from 'vitest';
import { createKubernetesClient, type KubernetesClient } from './client.ts';
import { resources } from './resources.ts';
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';

let server: ScriptedServer;
let client: KubernetesClient;
afterEach(async () => {
  client.close();
  await server.close();
});

async function serve(answers: readonly ScriptedAnswer[]): Promise<void> {
  server = await startScriptedServer({ answers });
  client = createKubernetesClient({ server: server.url });
}

function page(uids: readonly string[], next?: string): ScriptedAnswer {
  const items = uids.map((uid) => ({ metadata: { uid } }));
  return { status: 200, body: { metadata: { continue: next }, items } };
}

const expired: ScriptedAnswer = { status: 410, body: { reason: 'Expired', message: 'too old' } };

function uidsOf(items: readonly { readonly metadata?: { readonly uid?: string } }[]) {
  return items.map((item) => item.metadata?.uid);
}

async function each() {
  const items = [];
  for await (const item of client.each(resources.machine)) items.push(item);
  return uidsOf(items);
}

describe('a list', () => {
  it('is read page by page with its selectors', async () => {
    await serve([page(['a', 'b'], 'token/1'), page(['c'])]);
    const items = await client.list(resources.machine, {
      namespace: 'magnum-system',
      labelSelector: 'cluster.x-k8s.io/cluster-name=kube-abcde',
      fieldSelector: 'metadata.name=x',
      pageSize: 2,
    });
    expect(uidsOf(items)).toEqual(['a', 'b', 'c']);
    const queries = server.requests.map(({ path }) => Object.fromEntries(new URL(path, server.url).searchParams));
    const query = {
      limit: '2',
      labelSelector: 'cluster.x-k8s.io/cluster-name=kube-abcde',
      fieldSelector: 'metadata.name=x',
    };
    expect(queries).toEqual([query, { ...query, continue: 'token/1' }]);
  });

  it('says of each item what it is', async () => {
    await serve([page(['a'])]);
    const [secret] = await client.list(resources.secret);
    expect(secret).toMatchObject({ apiVersion: 'v1', kind: 'Secret' });
  });

  it.each([{ body: { items: null } }, { body: {} }])('is empty for $body', async ({ body }) => {
    await serve([{ status: 200, body }]);
    expect(await client.list(resources.machine)).toEqual([]);
  });

  it('starts again when its snapshot has expired, without what the first attempt gave', async () => {
    await serve([page(['a', 'gone'], '1'), expired, page(['a', 'b'], '2'), page(['c'])]);
    expect(uidsOf(await client.list(resources.machine))).toEqual(['a', 'b', 'c']);
    expect(server.requests[2]?.path).not.toContain('continue');
  });

  it('one by one gives each object once although it starts again', async () => {
    await serve([page(['a', 'gone'], '1'), expired, page(['a', 'b'], '2'), page(['c'])]);
    expect(await each()).toEqual(['a', 'gone', 'b', 'c']);
  });

  it('fails after the third restart', async () => {
    const again = Array.from({ length: 4 }, () => [page(['a'], '1'), expired]).flat();
    await serve(again);
    await expect(client.list(resources.machine)).rejects.toMatchObject({ apiStatus: 410 });
    expect(server.requests).toHaveLength(8);
  });

  it('stops reading when its reader stops', async () => {
    await serve([page(['a'], '1'), page(['b'])]);
    for await (const _ of client.each(resources.machine)) break;
    expect(server.requests).toHaveLength(1);
  });
});
