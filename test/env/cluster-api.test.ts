import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { ApiError, connectApi, type KubernetesApi } from './kubernetes-api.ts';
import { waitFor } from './wait-for.ts';

const namespace = 'control-plane-test';
const configMaps = `/api/v1/namespaces/${namespace}/configmaps`;
let api: KubernetesApi;

beforeAll(async () => {
  api = connectApi({
    server: inject('server'),
    caCertificate: inject('caCertificate'),
    token: inject('adminToken'),
  });
  await api.call('POST', '/api/v1/namespaces', { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
});

afterAll(async () => {
  const path = `/api/v1/namespaces/${namespace}`;
  await api.call('DELETE', path);
  await gone(path);
  api.close();
});

function configMap(name: string, owners: readonly unknown[] = []) {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, ownerReferences: owners } };
}

async function gone(path: string): Promise<void> {
  await waitFor(() => expect(api.call('GET', path)).rejects.toMatchObject({ status: 404 }), { what: `${path} to go` });
}

function clusters(version: string, name = ''): string {
  return `/apis/cluster.x-k8s.io/${version}/namespaces/${namespace}/clusters/${name}`;
}

const cluster = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'converted' },
  spec: { paused: true, topology: { classRef: { name: 'absent' }, version: 'v1.35.4' } },
};

test('what belongs to a deleted object is collected', async () => {
  const owner = (await api.call('POST', configMaps, configMap('owner'))) as { metadata: { uid: string } };
  const reference = { apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid: owner.metadata.uid };
  await api.call('POST', configMaps, configMap('owned', [reference]));
  await api.call('DELETE', `${configMaps}/owner`);
  await gone(`${configMaps}/owned`);
});

test('a Cluster is read as v1beta1 as well, converted by its manager', async () => {
  await api.call('POST', clusters('v1beta2'), cluster);
  expect(await api.call('GET', clusters('v1beta1', 'converted'))).toMatchObject({
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    spec: { paused: true, topology: { class: 'absent', version: 'v1.35.4' } },
  });
});

test('the admission webhook of Cluster API refuses what a schema cannot', async () => {
  const invalid = { ...cluster, metadata: { name: 'invalid' }, spec: { paused: true } };
  await expect(api.call('POST', clusters('v1beta2'), invalid)).rejects.toThrow(
    /admission webhook "validation\.cluster\.cluster\.x-k8s\.io" denied the request/,
  );
});

test('a template of kubeadm passes the webhooks of its own managers', async () => {
  const template = (group: string, kind: string, spec: unknown) => ({
    apiVersion: `${group}/v1beta2`,
    kind,
    metadata: { name: 'template' },
    spec: { template: { spec } },
  });
  const join = { joinConfiguration: { nodeRegistration: { name: '{{ local_hostname }}' } } };
  const bootstrap = template('bootstrap.cluster.x-k8s.io', 'KubeadmConfigTemplate', join);
  const controlPlane = template('controlplane.cluster.x-k8s.io', 'KubeadmControlPlaneTemplate', {
    kubeadmConfigSpec: { ...join, format: 'ignition' },
  });
  const create = (object: { readonly apiVersion: string }, plural: string) =>
    api.call('POST', `/apis/${object.apiVersion}/namespaces/${namespace}/${plural}?dryRun=All`, object);
  await expect(create(bootstrap, 'kubeadmconfigtemplates')).resolves.toBeDefined();
  await expect(create(controlPlane, 'kubeadmcontrolplanetemplates')).resolves.toBeDefined();
});

test('a service account token is reviewed for the audience that it was issued for, and no other', async () => {
  const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
  await api.call('POST', accounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'sender' } });
  const issued = (await api.call('POST', `${accounts}/sender/token`, {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { audiences: ['magnum-functions'] },
  })) as { status: { token: string } };
  const review = (audience: string) =>
    api.call('POST', '/apis/authentication.k8s.io/v1/tokenreviews', {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenReview',
      spec: { token: issued.status.token, audiences: [audience] },
    });
  expect(await review('magnum-functions')).toMatchObject({
    status: { authenticated: true, user: { username: `system:serviceaccount:${namespace}:sender` } },
  });
  expect(await review('something-else')).not.toMatchObject({ status: { authenticated: true } });
});

test('a wrong token is refused', async () => {
  const stranger = connectApi({
    server: inject('server'),
    caCertificate: inject('caCertificate'),
    token: 'wrong',
  });
  await expect(stranger.call('GET', configMaps)).rejects.toBeInstanceOf(ApiError);
  stranger.close();
});

test('each call stands in the audit log', async () => {
  const name = 'audited';
  await api.call('POST', configMaps, configMap(name));
  const entry = `"verb":"create","user":{"username":"admin"`;
  await waitFor(
    async () => {
      const lines = (await readFile(inject('auditLogPath'), 'utf8')).split('\n');
      expect(lines.filter((line) => line.includes(`"name":"${name}"`) && line.includes(entry))).toHaveLength(1);
    },
    { what: 'the audit log', timeout: 10_000 },
  );
});
