import { randomBytes } from 'node:crypto';
import http from 'node:http';
import https from 'node:https';
import type { Cloud } from './api.ts';
import { makeServerCertificate, type ServerCertificate } from './certificate.ts';
import { defaultState } from './default-state.ts';
import { Faults } from './faults.ts';
import { type RequestRecord, serve } from './serve.ts';
import type { CloudState } from './state.ts';
import { issue } from './tokens.ts';

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
}

export interface TokenRequest {
  /** Name of the user. */
  readonly user: string;
  /** Name of the project. */
  readonly project: string;
  /** Makes the token come from an application credential of that kind. @default a token of a password */
  readonly restricted?: boolean;
}

/** A simulated OpenStack: real HTTP, the real paths and words, and no cloud behind it. */
export interface SimulatedOpenStack {
  /** Keystone's URL, without version. */
  readonly authUrl: string;
  /** PEM of the certificate authority; undefined over plain HTTP. */
  readonly caCertificate: string | undefined;
  readonly state: CloudState;
  readonly faults: Faults;
  /** Every request, in the order of the answers. */
  readonly requests: RequestRecord[];
  /** Issues a token to a user, as if he had signed in. */
  issueToken(request: TokenRequest): string;
  stop(): Promise<void>;
}

/** Starts all services on one port of 127.0.0.1, each below its own path. */
export async function startSimulatedOpenStack(options: SimulatedOpenStackOptions = {}): Promise<SimulatedOpenStack> {
  const certificate = options.https === true ? await makeServerCertificate() : undefined;
  const server = createServer(certificate);
  const port = await listen(server, options.port ?? 0);
  const cloud: Cloud = {
    state: defaultState(),
    url: `${certificate === undefined ? 'http' : 'https'}://127.0.0.1:${port}`,
    pageLimit: options.pageLimit ?? 1000,
    computeMicroversion: options.computeMicroversion ?? '2.96',
    tokenLifetimeMs: options.tokenLifetimeMs ?? 60 * 60 * 1000,
    now: options.now ?? Date.now,
  };
  const stopping = new AbortController();
  const serving = { cloud, faults: new Faults(), requests: [], stopping: stopping.signal };
  server.on('request', (incoming, outgoing) => {
    serve(incoming, outgoing, serving).catch(() => outgoing.destroy());
  });
  return {
    authUrl: `${cloud.url}/identity`,
    caCertificate: certificate?.caCertificate,
    state: cloud.state,
    faults: serving.faults,
    requests: serving.requests,
    issueToken: (request) => issueToken(request, cloud),
    stop() {
      stopping.abort();
      return close(server);
    },
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

function issueToken(request: TokenRequest, cloud: Cloud): string {
  const user = cloud.state.users.find(({ name }) => name === request.user);
  const project = cloud.state.projects.find(({ name }) => name === request.project);
  const roles = user?.roles[project?.id ?? ''];
  if (user === undefined || project === undefined || roles === undefined) {
    throw new RangeError(`The user ${request.user} has no role on the project ${request.project}.`);
  }
  const scope = { userId: user.id, projectId: project.id, roles };
  if (request.restricted === undefined) {
    return issue(cloud, { ...scope, methods: ['password'], applicationCredentialId: null }).value;
  }
  const id = randomBytes(16).toString('hex');
  const secret = randomBytes(64).toString('base64url');
  const kind = { name: `signed-in-${id}`, description: null, unrestricted: !request.restricted, expiresAt: null };
  cloud.state.applicationCredentials.push({ ...scope, ...kind, id, secret });
  return issue(cloud, { ...scope, methods: ['application_credential'], applicationCredentialId: id }).value;
}
