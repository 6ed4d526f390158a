import http from 'node:http';
import https from 'node:https';
import { type JoinedKeystone, joinKeystone } from '../keystone/join-keystone.ts';
import type { Keystone } from '../keystone/keystone.ts';
import type { Cloud } from './api.ts';
import { makeServerCertificate, type ServerCertificate } from './certificate.ts';
import { defaultState } from './default-state.ts';
import { Faults } from './faults.ts';
import type { Identity, TokenRequest } from './identity.ts';
import { type RequestRecord, serve } from './serve.ts';
import { issueToken, simulatedIdentity } from './simulated-identity.ts';
import type { CloudState } from './state.ts';

export interface SimulatedOpenStackOptions {
  /** Serve HTTPS with a certificate of a private certificate authority. @default false */
  readonly https?: boolean;
  /** @default a free one */
  readonly port?: number;
  /** Largest page of a list. @default 1000 */
  readonly pageLimit?: number;
  /** Newest microversion of the simulated Nova. @default '2.96' */
  readonly computeMicroversion?: string;
  /** @default one hour */
  readonly tokenLifetimeMs?: number;
  /** Milliseconds since the epoch. @default the system's clock */
  readonly now?: () => number;
  /** A real Keystone that this cloud is the only one to use; it is not stopped with the cloud. @default the simulated one */
  readonly keystone?: Keystone;
}

/** A simulated OpenStack: real HTTP, the real paths and words, and no cloud behind it. */
export interface SimulatedOpenStack {
  /** Keystone's URL, without version. */
  readonly authUrl: string;
  /** PEM of the certificate authority; undefined over plain HTTP. */
  readonly caCertificate: string | undefined;
  readonly state: CloudState;
  /** Users, their credentials and tokens, with either Keystone. */
  readonly identity: Identity;
  readonly faults: Faults;
  /** Every request, in the order of the answers. */
  readonly requests: RequestRecord[];
  /** Issues a token of the simulated Keystone at once; `identity.signIn` does it with either. @throws RangeError */
  issueToken(request: TokenRequest): string;
  stop(): Promise<void>;
}

/** Starts all services on one port of 127.0.0.1, each below its own path. */
export async function startSimulatedOpenStack(options: SimulatedOpenStackOptions = {}): Promise<SimulatedOpenStack> {
  const keystone = options.keystone === undefined ? null : await joinKeystone(options.keystone);
  const certificate = options.https === true ? await makeServerCertificate() : undefined;
  const server = createServer(certificate);
  const port = await listen(server, options.port ?? 0);
  const url = `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`;
  const cloud = cloudOf(options, url, keystone);
  await keystone?.catalogue(cloud);
  const stopping = new AbortController();
  const serving = { cloud, faults: new Faults(), requests: [], stopping: stopping.signal };
  server.on('request', (incoming, outgoing) => {
    serve(incoming, outgoing, serving).catch(() => outgoing.destroy());
  });
  return {
    authUrl: `${url}/identity`,
    caCertificate: certificate?.caCertificate,
    state: cloud.state,
    identity: keystone?.identity(cloud) ?? simulatedIdentity(cloud),
    faults: serving.faults,
    requests: serving.requests,
    issueToken: (request) => issueToken(request, cloud),
    stop() {
      stopping.abort();
      return close(server);
    },
  };
}

function cloudOf(options: SimulatedOpenStackOptions, url: string, keystone: JoinedKeystone | null): Cloud {
  return {
    state: defaultState(keystone?.owners),
    url,
    pageLimit: options.pageLimit ?? 1000,
    computeMicroversion: options.computeMicroversion ?? '2.96',
    tokenLifetimeMs: options.tokenLifetimeMs ?? 60 * 60 * 1000,
    now: options.now ?? Date.now,
    keystone,
  };
}

function createServer(certificate: ServerCertificate | undefined): http.Server {
  if (certificate === undefined) return http.createServer();
  return https.createServer({ cert: certificate.certificate, key: certificate.privateKey });
}

function listen(server: http.Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

function close(server: http.Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
