import * as z from 'zod';
import { type PasswordLogin, passwordToken } from '../cloud/keystone/keystone-api.ts';
import { waitFor } from '../env/wait-for.ts';
import {
  type Cluster,
  type ClusterChange,
  cluster,
  identified,
  type Nodegroup,
  nodegroup,
} from './magnum-resources.ts';

/** The newest microversion of the oldest release that the shim serves. */
const microversion = 'container-infra 1.14';

export interface MagnumAnswer {
  readonly status: number;
  /** Parsed JSON; undefined where there is none. */
  readonly body: unknown;
}

/** Magnum refused a call; the message has its words. */
export class MagnumError extends Error {
  override readonly name = 'MagnumError';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

export interface MagnumLogin {
  /** Keystone's URL, without version. */
  readonly authUrl: string;
  readonly login: PasswordLogin;
  /** magnum-api's URL, without version. */
  readonly apiUrl: string;
}

/** Magnum's REST API as one user. Ids may be names. */
export class MagnumClient {
  readonly #login: MagnumLogin;
  #token: Promise<string> | undefined;

  constructor(login: MagnumLogin) {
    this.#login = login;
  }

  /** Gives whatever Magnum answers. @param path below `/v1` */
  async ask(method: Method, path: string, body?: unknown): Promise<MagnumAnswer> {
    const { authUrl, login, apiUrl } = this.#login;
    this.#token ??= passwordToken(authUrl, login);
    const answer = await fetch(`${apiUrl}/v1${path}`, {
      method,
      headers: {
        'x-auth-token': await this.#token,
        'openstack-api-version': microversion,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    return { status: answer.status, body: parsed(text) };
  }

  /** The body of an answer that is no refusal. @throws {MagnumError} */
  async call(method: Method, path: string, body?: unknown): Promise<unknown> {
    const answer = await this.ask(method, path, body);
    if (answer.status >= 300) throw new MagnumError(answer.status, refusalWords(answer.body));
    return answer.body;
  }

  /** @throws Error unless a conductor is known to serve */
  async requireConductor(): Promise<void> {
    const { mservices } = services.parse(await this.call('GET', '/mservices'));
    if (!mservices.some(({ state }) => state === 'up')) throw new Error('Magnum knows no conductor that is up');
  }

  /** Gives the id. */
  async createTemplate(fields: object): Promise<string> {
    return identified.parse(await this.call('POST', '/clustertemplates', fields)).uuid;
  }

  /** Gives the id. */
  async createCluster(fields: object): Promise<string> {
    return identified.parse(await this.call('POST', '/clusters', fields)).uuid;
  }

  async cluster(id: string): Promise<Cluster> {
    return cluster.parse(await this.call('GET', `/clusters/${id}`));
  }

  async patchCluster(id: string, changes: readonly ClusterChange[]): Promise<void> {
    await this.call('PATCH', `/clusters/${id}`, changes);
  }

  async resize(
    id: string,
    body: {
      readonly node_count: number;
      readonly nodegroup?: string;
      readonly nodes_to_remove?: readonly string[];
    },
  ): Promise<void> {
    await this.call('POST', `/clusters/${id}/actions/resize`, body);
  }

  /** @param template Id of the cluster template. */
  async upgrade(id: string, template: string, nodegroupName?: string): Promise<void> {
    const group = nodegroupName === undefined ? {} : { nodegroup: nodegroupName };
    await this.call('POST', `/clusters/${id}/actions/upgrade`, {
      cluster_template: template,
      max_batch_size: 1,
      ...group,
    });
  }

  async deleteCluster(id: string): Promise<void> {
    await this.call('DELETE', `/clusters/${id}`);
  }

  async createNodegroup(id: string, fields: object): Promise<void> {
    await this.call('POST', `/clusters/${id}/nodegroups`, fields);
  }

  async nodegroup(id: string, name: string): Promise<Nodegroup> {
    return nodegroup.parse(await this.call('GET', `/clusters/${id}/nodegroups/${name}`));
  }

  async patchNodegroup(id: string, name: string, changes: readonly ClusterChange[]): Promise<void> {
    await this.call('PATCH', `/clusters/${id}/nodegroups/${name}`, changes);
  }

  async deleteNodegroup(id: string, name: string): Promise<void> {
    await this.call('DELETE', `/clusters/${id}/nodegroups/${name}`);
  }

  /** PEM of the certificate authority of the cluster's API. */
  async certificateAuthority(id: string): Promise<string> {
    return pem.parse(await this.call('GET', `/certificates/${id}`)).pem;
  }

  async rotateCredential(id: string): Promise<void> {
    await this.call('PATCH', `/credentials/${id}`);
  }

  /** The cluster once it matches. @throws Error that shows the last one where it does not in time, or where it has failed */
  untilCluster(
    id: string,
    status: string,
    { timeout = 300_000 }: { readonly timeout?: number } = {},
  ): Promise<Cluster> {
    const probe = async () => {
      const now = await this.cluster(id);
      if (now.status === status) return now;
      throw new Error(`it is ${now.status}: ${now.status_reason ?? 'no reason'} ${JSON.stringify(now.faults ?? {})}`);
    };
    return waitFor(probe, { what: `${status} of ${id}`, timeout, interval: 200 });
  }

  async untilGone(id: string, { timeout = 300_000 }: { readonly timeout?: number } = {}): Promise<void> {
    const probe = async () => {
      const { status, body } = await this.ask('GET', `/clusters/${id}`);
      if (status !== 404) throw new Error(`it is ${JSON.stringify(body)}`);
    };
    await waitFor(probe, { what: `the end of ${id}`, timeout, interval: 200 });
  }
}

const services = z.object({ mservices: z.array(z.object({ state: z.string() })) });
const pem = z.object({ pem: z.string() });
const refusal = z.object({ errors: z.array(z.object({ detail: z.string() })).min(1) });

function refusalWords(body: unknown): string {
  return refusal.safeParse(body).data?.errors[0]?.detail ?? JSON.stringify(body);
}

function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
