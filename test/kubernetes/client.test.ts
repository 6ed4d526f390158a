import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { createKubernetesClient } from '../../shared/kubernetes/client.ts';
import { kubeConfigConnection } from '../../shared/kubernetes/kubeconfig-connection.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { createTestNamespace, type TestNamespace } from './test-namespace.ts';

let test: TestNamespace;
beforeAll(async () => {
  test = await createTestNamespace('client');
});
afterAll(() => test.close());

let count = 0;
function newReference() {
  count++;
  return { namespace: test.namespace, name: `object-${count}` };
}

const key = Buffer.from('value').toString('base64');

describe('objects on a real API server', () => {
  it('are created, read, changed and deleted', async () => {
    const reference = newReference();
    const created = await test.client.create(resources.secret, { metadata: reference, data: { key } });
    expect(created.metadata?.uid).toBeTruthy();
    expect(await test.client.get(resources.secret, reference)).toEqual(created);

    const patched = await test.client.patch(resources.secret, reference, {
      operations: [
        { op: 'test', path: '/data/key', value: key },
        { op: 'add', path: '/data/other', value: key },
      ],
      resourceVersion: created.metadata?.resourceVersion,
    });
    expect(patched.data).toEqual({ key, other: key });

    await test.client.delete(resources.secret, reference, { uid: created.metadata?.uid });
    expect(await test.client.find(resources.secret, reference)).toBeUndefined();
  });

  it('that are missing are NotFoundErrors', async () => {
    const reference = newReference();
    const missing = { name: 'NotFoundError', reason: 'NotFound' };
    await expect(test.client.get(resources.secret, reference)).rejects.toMatchObject(missing);
    await expect(test.client.delete(resources.secret, reference)).rejects.toMatchObject(missing);
    const elsewhere = { metadata: { ...reference, namespace: 'no-such-namespace' } };
    await expect(test.client.create(resources.secret, elsewhere)).rejects.toMatchObject(missing);
  });

  it('of a kind that is not served are no missing objects', async () => {
    const unserved: ResourceType = { ...resources.cluster, apiVersion: 'cluster.x-k8s.io/v1future1' };
    await expect(test.client.find(unserved, newReference())).rejects.toMatchObject({
      name: 'UnavailableError',
      apiStatus: 404,
    });
  });

  it('of a kind that the driver uses are all served', async () => {
    const stored = Object.values(resources).filter((type) => type.namespaced);
    for (const type of stored) await test.client.list<object>(type, { namespace: test.namespace });
    expect(stored.length).toBeGreaterThan(10);
  });

  it('are judged by reviews', async () => {
    const token = inject('adminToken');
    const review = await test.client.create(resources.tokenReview, { spec: { token } }, { repeatable: true });
    expect(review.status).toMatchObject({ authenticated: true });
    const user = review.status?.user?.username ?? '';
    const access = await test.client.create(resources.subjectAccessReview, {
      spec: { user, groups: ['system:masters'], resourceAttributes: { verb: 'get', resource: 'secrets' } },
    });
    expect(access.status?.allowed).toBe(true);
  });
});

describe('a write that does not fit', () => {
  it('is a conflict when the object was changed, is another, or exists already', async () => {
    const { client } = test;
    const reference = newReference();
    await client.create(resources.secret, { metadata: reference, data: { key } });
    await expect(client.create(resources.secret, { metadata: reference })).rejects.toMatchObject({
      name: 'ConflictError',
      reason: 'AlreadyExists',
    });
    const conflict = { name: 'ConflictError', reason: 'Conflict' };
    const operations = [{ op: 'remove', path: '/data/key' }] as const;
    await expect(client.patch(resources.secret, reference, { operations, resourceVersion: '1' })).rejects.toMatchObject(
      conflict,
    );
    await expect(client.delete(resources.secret, reference, { uid: 'another' })).rejects.toMatchObject(conflict);
    await expect(client.delete(resources.secret, reference, { resourceVersion: '1' })).rejects.toMatchObject(conflict);
    expect((await client.get(resources.secret, reference)).data).toEqual({ key });
  });

  it.each([
    { what: 'a test that does not hold', operation: { op: 'test', path: '/data/key', value: 'x' } },
    { what: 'a path that is gone', operation: { op: 'remove', path: '/data/gone' } },
  ] as const)('is a conflict for $what', async ({ operation }) => {
    const reference = newReference();
    await test.client.create(resources.secret, { metadata: reference, data: { key } });
    await expect(test.client.patch(resources.secret, reference, { operations: [operation] })).rejects.toMatchObject({
      name: 'ConflictError',
    });
  });

  it('names the fields that are refused, and nothing of a Secret', async () => {
    const metadata = newReference();
    const rejected = test.client.apply(resources.secret, { metadata, type: 'Opaque', data: { 'hunter 2': key } });
    await expect(rejected).rejects.toMatchObject({
      name: 'InvalidError',
      causes: [{ field: 'data[hunter 2]', reason: 'FieldValueInvalid', message: '' }],
    });
  });

  it.each(['create', 'apply'] as const)('is invalid for a field that no schema has (%s)', async (verb) => {
    const machine = { metadata: newReference(), spec: { clusterName: 'c', notThere: true } };
    await expect(test.client[verb](resources.machine, machine)).rejects.toMatchObject({ name: 'InvalidError' });
    await expect(test.client[verb](resources.machine, machine)).rejects.toThrow('notThere');
  });

  it('is forbidden, with the right that is missing, for whoever lacks it', async () => {
    const { server, caCertificate } = test.connection;
    const anonymous = createKubernetesClient({ server, caCertificate });
    await expect(anonymous.list(resources.secret, { namespace: test.namespace })).rejects.toMatchObject({
      name: 'ForbiddenError',
      status: 503,
      message: expect.stringMatching(/Cannot list Secret .* cannot list resource "secrets"/),
    });
    anonymous.close();
    const stranger = createKubernetesClient({ server, caCertificate, token: async () => 'no such token' });
    await expect(stranger.get(resources.secret, newReference())).rejects.toMatchObject({ apiStatus: 401 });
    stranger.close();
  });
});

describe('server-side apply', () => {
  it('takes every character, though it is read as YAML', async () => {
    const text = String.fromCharCode(1, 9, 10, 13, 27, 0x7f, 0x85, 0x9b, 0x2028, 0xfeff, 0xfffe, 0xffff);
    const metadata = { ...newReference(), annotations: { text: `${text}ü日本語😀` } };
    expect((await test.client.apply(resources.secret, { metadata })).metadata?.annotations).toEqual(
      metadata.annotations,
    );
  });

  it('removes what the same manager no longer says and keeps what others said', async () => {
    const metadata = newReference();
    await test.client.apply(resources.secret, { metadata, data: { key, other: key } });
    await test.client.patch(resources.secret, metadata, {
      operations: [{ op: 'add', path: '/metadata/labels', value: { theirs: 'yes' } }],
    });
    const applied = await test.client.apply(resources.secret, { metadata, data: { key } });
    expect(applied.data).toEqual({ key });
    expect(applied.metadata?.labels).toEqual({ theirs: 'yes' });
    expect(applied.metadata?.managedFields?.[0]?.manager).toBe('magnum-capi-functions');
  });

  it('takes a field from another manager only by force', async () => {
    const metadata = newReference();
    // A plain write owns its fields as another manager than an apply of the same name.
    await test.client.create(resources.secret, { metadata, data: { key } });
    const mine = { metadata, data: { key: Buffer.from('mine').toString('base64') } };
    await expect(test.client.apply(resources.secret, mine)).rejects.toMatchObject({
      name: 'ConflictError',
      causes: [{ field: '.data.key', reason: 'FieldManagerConflict' }],
    });
    expect((await test.client.apply(resources.secret, mine, { force: true })).data).toEqual(mine.data);
  });
});

describe('a list', () => {
  it('comes in pages, selected by labels', async () => {
    const labels = { list: 'paged' };
    for (let made = 0; made < 5; made++) {
      await test.client.create(resources.secret, { metadata: { ...newReference(), labels } });
    }
    let requests = 0;
    const counting = test.client.observedBy(() => {
      requests++;
    });
    const options = { namespace: test.namespace, labelSelector: 'list=paged', pageSize: 2 };
    expect(await counting.list(resources.secret, options)).toHaveLength(5);
    expect(requests).toBe(3);
    const names = new Set<string | undefined>();
    for await (const secret of test.client.each(resources.secret, options)) names.add(secret.metadata?.name);
    expect(names.size).toBe(5);
  });
});

describe('the connection', () => {
  it('of the kubeconfig works', async () => {
    const connection = await kubeConfigConnection({ path: inject('kubeconfigPath') });
    const client = createKubernetesClient(connection);
    expect(await client.list(resources.lease, { namespace: test.namespace })).toEqual([]);
    client.close();
  });

  it("tells the API server's time", async () => {
    await test.client.find(resources.lease, newReference());
    expect(Math.abs((test.client.serverTime() ?? 0) - Date.now())).toBeLessThan(5_000);
  });
});
