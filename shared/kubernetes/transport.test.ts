import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { makeServerCertificate, type ServerCertificate } from '../../test/cloud/openstack/certificate.ts';
import type { KubernetesConnection } from './connection.ts';
import { type ScriptedServer, startScriptedServer } from './testing/scripted-server.ts';
import { createTransport, type HttpRequest, type Transport } from './transport.ts';

const request: HttpRequest = {
  method: 'POST',
  path: '/',
  headers: { 'content-length': '2' },
  body: '{}',
  timeoutMs: 5_000,
};

let tls: ServerCertificate;
let server: ScriptedServer;
let transport: Transport;
beforeAll(async () => {
  tls = await makeServerCertificate();
});
afterEach(async () => {
  transport.close();
  await server.close();
});

async function connect(connection: Omit<KubernetesConnection, 'server'>): Promise<void> {
  server = await startScriptedServer({ tls });
  transport = createTransport({ server: server.url, ...connection });
}

describe('a TLS connection', () => {
  it('is kept for the next request', async () => {
    await connect({ caCertificate: tls.caCertificate });
    for (let count = 0; count < 3; count++) expect(await transport.send(request)).toMatchObject({ status: 200 });
    expect(server.connections()).toBe(1);
  });

  it('that the server closed while it was idle counts as never sent', async () => {
    await connect({ caCertificate: tls.caCertificate });
    await transport.send(request);
    server.dropConnections();
    await new Promise(setImmediate);
    await expect(transport.send(request)).rejects.toMatchObject({ passing: true, neverSent: true });
    expect(server.requests).toHaveLength(1);
  });

  it('to a server with another certificate authority fails for good', async () => {
    await connect({});
    await expect(transport.send(request)).rejects.toMatchObject({ passing: false, neverSent: true });
    expect(server.requests).toHaveLength(0);
  });

  it('is made to any server when that is asked for', async () => {
    await connect({ insecureSkipTlsVerify: true });
    expect(await transport.send(request)).toMatchObject({ status: 200 });
  });

  it.each([
    { serverName: 'localhost', accepted: true },
    { serverName: 'elsewhere', accepted: false },
  ])('is checked against the name $serverName', async ({ serverName, accepted }) => {
    await connect({ caCertificate: tls.caCertificate, serverName });
    const sent = transport.send(request).then(
      () => true,
      () => false,
    );
    expect(await sent).toBe(accepted);
  });
});
