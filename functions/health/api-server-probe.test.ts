import { createServer } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { hostUnderTest } from '../../shared/host/testing/host-under-test.ts';
import {
  type ScriptedAnswer,
  type ScriptedServer,
  startScriptedServer,
} from '../../shared/kubernetes/testing/scripted-server.ts';
import { observedCluster } from '../../shared/status/testing/health-objects.ts';
import { makeServerCertificate, type ServerCertificate } from '../../test/cloud/openstack/certificate.ts';
import { createApiServerProbe } from './api-server-probe.ts';
import { healthFunction } from './handler.ts';
import { type ManagementCluster, startManagementCluster } from './testing/management-cluster.ts';

const host = '127.0.0.1';

let tls: ServerCertificate;
let management: ManagementCluster;
let close: (() => Promise<unknown>)[];
beforeAll(async () => {
  tls = await makeServerCertificate();
});
beforeEach(async () => {
  management = await startManagementCluster();
  close = [management.close];
});
afterEach(() => Promise.all(close.map((end) => end())));

/** A cluster's API that answers by a script, with what the management cluster knows of it. */
async function startApi(answers: readonly ScriptedAnswer[] = [], serverTls = tls): Promise<ScriptedServer> {
  const server = await startScriptedServer({ answers, tls: serverTls });
  close.push(server.close);
  publish({ host, port: server.port });
  return server;
}

function publish(controlPlaneEndpoint: { host: string; port: number }, certificate = tls.caCertificate): void {
  const data = { 'tls.crt': Buffer.from(certificate).toString('base64') };
  management.objects.clusters = [observedCluster({}, { controlPlaneEndpoint, masters: 0 })];
  management.objects.secrets = [{ metadata: { name: 'kube-abcde-ca' }, ...{ data } }];
}

function ask(probe = createApiServerProbe(5000)) {
  return probe.ask(management.kubernetes, management.objects.clusters[0] ?? {});
}

describe('an API', () => {
  test.each([200, 401, 403, 429])('that answers %i lives', async (status) => {
    const server = await startApi([{ status }]);
    expect(await ask()).toBe('answered');
    expect(server.requests).toMatchObject([{ method: 'GET', path: '/readyz' }]);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  test.each([500, 503])('that answers %i fails', async (status) => {
    await startApi([{ status }]);
    expect(await ask()).toBe('failed');
  });

  test('that never answers fails when its time is up', async () => {
    await startApi(['hang']);
    expect(await ask(createApiServerProbe(50))).toBe('failed');
  });

  test('that takes a connection and says nothing fails when its time is up', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    server.on('connection', (socket) => close.push(async () => socket.destroy()));
    close.push(() => new Promise((resolve) => server.close(resolve)));
    const address = server.address();
    publish({ host, port: typeof address === 'object' && address !== null ? address.port : 0 });
    expect(await ask(createApiServerProbe(50))).toBe('failed');
  });

  test('that is not there fails', async () => {
    const server = await startApi();
    await server.close();
    expect(await ask()).toBe('failed');
  });

  test('whose address now belongs to another cluster fails', async () => {
    const server = await startApi([], await makeServerCertificate());
    expect(await ask()).toBe('failed');
    expect(server.requests).toHaveLength(0);
  });

  test.each(['localhost', 'no name', 'nobody.invalid'])(
    'at %j, which its certificate does not name, fails',
    async (name) => {
      const server = await startApi();
      publish({ host: name, port: server.port });
      expect(await ask()).toBe('failed');
      expect(server.requests).toHaveLength(0);
    },
  );
});

describe('an API is not asked', () => {
  test.each<[string, () => void]>([
    ['whose address is not known', () => publish({ host: '', port: 0 })],
    ['whose authority is not there', () => management.objects.secrets.splice(0)],
    ['whose authority may not be read', () => management.refused.set('secrets', 403)],
    ['whose authority is none', () => publish({ host, port: 6443 }, 'nonsense')],
    ['whose authority is an empty text', () => publish({ host, port: 6443 }, '')],
    ['whose authority is no authority', () => publish({ host, port: 6443 }, tls.certificate)],
  ])('%s', async (_title, change) => {
    const server = await startApi();
    change();
    expect(await ask()).toBeUndefined();
    expect(server.requests).toHaveLength(0);
  });
});

test('those who ask at once share an answer, and whoever asks later gets a new one', async () => {
  const server = await startApi();
  const probe = createApiServerProbe(5000);
  expect(await Promise.all([ask(probe), ask(probe), ask(probe)])).toEqual(Array(3).fill('answered'));
  expect(server.requests).toHaveLength(1);
  await ask(probe);
  expect(server.requests).toHaveLength(2);
});

describe('the function', () => {
  const type = 'dev.knative.apiserver.ref.update';
  const data = {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    namespace: 'magnum-system',
    name: 'kube-abcde',
  };

  async function health(probeTimeoutMs?: number) {
    const routes = { '/': healthFunction({ kubernetes: management.kubernetes, probeTimeoutMs }) };
    const served = await hostUnderTest({ routes });
    close.push(() => served.close());
    return JSON.parse((await served.invoke({ 'ce-type': type }, data)).body);
  }

  test('finds a fault that Cluster API does not know of', async () => {
    await startApi([{ status: 500 }]);
    expect(await health(5000)).toMatchObject({ health_status: 'UNHEALTHY', health_status_reason: { api: 'nok' } });
  });

  test('asks for nothing where Cluster API knows of a fault already', async () => {
    const server = await startApi();
    management.objects.clusters = [observedCluster({ ControlPlaneAvailable: 'False' })];
    expect(await health(5000)).toMatchObject({ health_status: 'UNHEALTHY' });
    expect(server.requests).toHaveLength(0);
    expect(management.requests).toHaveLength(2);
  });

  test.each([undefined, 0])('asks no cluster itself with a limit of %s', async (limit) => {
    const server = await startApi([{ status: 500 }]);
    expect(await health(limit)).toMatchObject({ health_status: 'HEALTHY' });
    expect(server.requests).toHaveLength(0);
    expect(management.requests).toHaveLength(2);
  });
});
