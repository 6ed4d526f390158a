import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { makeServerCertificate, type ServerCertificate } from '../../test/cloud/openstack/certificate.ts';
import type { KubernetesConnection } from './connection.ts';
import { type ScriptedAnswer, type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { createTransport, type HttpRequest, type Transport } from './transport.ts';

const request: HttpRequest = {
  method: 'POST',
  path: '/',
  headers: { 'content-length': '2' },
  body: '{}',
  timeoutMs: 5_000,
};

let tls: ServerCertificate;
let server: ScriptedServer | undefined;
let transport: Transport | undefined;
beforeAll(async () => {
  tls = await makeServerCertificate();
});
afterEach(async () => {
  transport?.close();
  await server?.close();
});

async function connect(connection: Omit<KubernetesConnection, 'server'>, answers: readonly ScriptedAnswer[] = []) {
  server = await startScriptedServer({ tls, answers });
  transport = createTransport({ server: server.url, ...connection });
  return { server, transport };
}

describe('a TLS connection', () => {
  it('is kept for the next request', async () => {
    const { server, transport } = await connect({ caCertificate: tls.caCertificate });
    for (let count = 0; count < 3; count++) expect(await transport.send(request)).toMatchObject({ status: 200 });
    expect(server.connections()).toBe(1);
  });

  it('that the server closed while it was idle counts as never sent', async () => {
    const { server, transport } = await connect({ caCertificate: tls.caCertificate });
    await transport.send(request);
    server.dropConnections();
    await new Promise(setImmediate);
    await expect(transport.send(request)).rejects.toMatchObject({ passing: true, neverSent: true });
    expect(server.requests).toHaveLength(1);
  });

  it('that a request waited for counts as used once the request is sent', async () => {
    const busy = Array.from({ length: 31 }, () => 'hang' as const);
    const { server, transport } = await connect({ caCertificate: tls.caCertificate }, [
      ...busy,
      { status: 200 },
      'drop',
    ]);
    const hanging = Promise.allSettled(busy.map(() => transport.send(request)));
    await vi.waitFor(() => expect(server.requests).toHaveLength(busy.length), { timeout: 10_000 });
    const [last, waiting] = [transport.send(request), transport.send(request)];
    await expect(waiting).rejects.toMatchObject({ passing: true, neverSent: false });
    expect(await last).toMatchObject({ status: 200 });
    expect(server.connections()).toBe(32);
    transport.close();
    await hanging;
  });

  it('to a server with another certificate authority fails for good', async () => {
    const { server, transport } = await connect({});
    await expect(transport.send(request)).rejects.toMatchObject({ passing: false, neverSent: true });
    expect(server.requests).toHaveLength(0);
  });

  it('is made to any server when that is asked for', async () => {
    const { transport } = await connect({ insecureSkipTlsVerify: true });
    expect(await transport.send(request)).toMatchObject({ status: 200 });
  });

  it('is refused when the certificate is not for the name that is asked for', async () => {
    const { transport } = await connect({ caCertificate: tls.caCertificate, serverName: 'elsewhere' });
    await expect(transport.send(request)).rejects.toMatchObject({
      passing: false,
      neverSent: true,
      message: expect.stringContaining('Host: elsewhere'),
    });
  });
});

describe('a connection without TLS', () => {
  it.each(['http://127.0.0.1:1', 'http://localhost:1', 'http://[::1]:1'])(
    'to %s stays on this host',
    async (server) => {
      const sent = createTransport({ server }).send(request);
      await expect(sent).rejects.toMatchObject({ passing: true, neverSent: true, message: expect.stringMatching(/./) });
    },
  );

  it.each(['http://10.0.0.1:80', 'http://127.0.0.1.example', 'ftp://localhost', 'ws://api.example'])(
    'to %s is refused',
    (server) => {
      expect(() => createTransport({ server })).toThrow('must be reached by https');
    },
  );
});
