import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createDefinitions, createNamespace, createWebhookConfiguration } from './api-server-setup.ts';
import type { Assets } from './assets.ts';
import { type CapoDefinitions, readCapoDefinitions } from './capo-crds.ts';
import {
  type ClusterApiManifests,
  connectDefinitions,
  connectWebhooks,
  readClusterApiManifests,
} from './cluster-api-manifests.ts';
import { partError } from './control-plane-error.ts';
import { connectApi, type KubernetesApi } from './kubernetes-api.ts';
import {
  apiServerArguments,
  type ControlPlanePorts,
  controllerManagerArguments,
  etcdArguments,
  managerArguments,
  managerEnvironment,
  managerNamespace,
  servingCertificate,
} from './part-commands.ts';
import type { PartRunner } from './part-runner.ts';
import { managerNames, type PartName } from './parts.ts';
import { logPath, type RunFolder, writeKubeconfig } from './run-folder.ts';
import { waitFor } from './wait-for.ts';
import { probeWebhooks } from './webhook-probes.ts';

/** What starting needs to know of one run. */
export interface Run {
  readonly folder: RunFolder;
  readonly ports: ControlPlanePorts;
  readonly parts: PartRunner;
  /** Arguments by which kube-apiserver tells who somebody is and what he may do, beside the administrator. */
  readonly apiServerAccess: readonly string[];
}

/** How the API server is reached. */
export interface ApiAccess {
  readonly server: string;
  readonly caCertificate: string;
}

const driverNamespace = 'magnum-system';

/** Starts etcd and kube-apiserver and returns when the latter is ready. */
export async function startApiServer(run: Run): Promise<ApiAccess> {
  const { folder, ports, parts } = run;
  const server = `https://127.0.0.1:${ports.apiServer}`;
  parts.start('etcd', etcdArguments(folder, ports));
  parts.start('kube-apiserver', apiServerArguments(folder, ports, run.apiServerAccess));
  const caCertificate = await waitForPart(run, 'kube-apiserver', async () => {
    const ca = await readAuthority(join(folder.pki, servingCertificate.certificate));
    await withApi(run, { server, caCertificate: ca }, (api) => api.call('GET', '/readyz'));
    return ca;
  });
  await writeKubeconfig(folder, server, caCertificate);
  await withApi(run, { server, caCertificate }, (api) => createNamespace(api, driverNamespace));
  return { server, caCertificate };
}

/** Registers Cluster API's kinds and webhooks, starts its managers and returns when all of their webhooks answer. */
export async function startManagers(run: Run, access: ApiAccess, definitions: Definitions): Promise<void> {
  const { folder, ports, parts } = run;
  await withApi(run, access, async (api) => {
    await register(run, api, { ...definitions, caCertificate: access.caCertificate });
    parts.start('kube-controller-manager', controllerManagerArguments(folder));
    for (const manager of managerNames) {
      parts.start(manager, managerArguments(manager, folder, ports), managerEnvironment(manager));
    }
    await Promise.all(managerNames.map((name) => waitForPart(run, name, () => probeWebhooks(api, name))));
  });
}

export interface Definitions {
  readonly clusterApi: ClusterApiManifests;
  readonly capo: CapoDefinitions;
}

/** Reads what `startManagers` registers; it takes a while and may run beside `startApiServer`. */
export async function readDefinitions(assets: Assets): Promise<Definitions> {
  const directory = assets.get('cluster-api') ?? '';
  const [clusterApi, capo] = await Promise.all([readClusterApiManifests(directory), readCapoDefinitions()]);
  return { clusterApi, capo };
}

async function register(run: Run, api: KubernetesApi, definitions: Definitions & { readonly caCertificate: string }) {
  const { clusterApi, capo, caCertificate } = definitions;
  const servers = { ports: run.ports.webhooks, caCertificate };
  await Promise.all([
    createNamespace(api, managerNamespace),
    createDefinitions(api, [...connectDefinitions(clusterApi, servers), ...capo.definitions], run.parts.signal),
    ...connectWebhooks(clusterApi, servers).map((webhooks) => createWebhookConfiguration(api, webhooks)),
  ]);
}

/** @throws {ControlPlaneError} that names the part's log when the probe does not succeed in time. */
async function waitForPart<T>(run: Run, part: PartName, probe: () => Promise<T>): Promise<T> {
  const { signal } = run.parts;
  try {
    return await waitFor(probe, { what: `${part} to be ready`, signal });
  } catch (error) {
    signal.throwIfAborted();
    throw partError(error instanceof Error ? error.message : String(error), logPath(run.folder, part), error);
  }
}

async function withApi<T>(run: Run, access: ApiAccess, work: (api: KubernetesApi) => Promise<T>): Promise<T> {
  const api = connectApi({ ...access, token: run.folder.adminToken });
  try {
    return await work(api);
  } finally {
    api.close();
  }
}

/** kube-apiserver signs its own certificate and writes the authority's after it into the same file. */
async function readAuthority(path: string): Promise<string> {
  const blocks = (await readFile(path, 'utf8')).match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----\n?/g) ?? [];
  const authority = blocks.find((block) => new X509Certificate(block).ca);
  if (authority === undefined) {
    throw new Error(`${path} has no certificate authority yet`);
  }
  return authority;
}
