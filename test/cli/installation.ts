import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { observedTypes } from '../../cli/doctor/observed-types.ts';
import { type Manifest, readManifests } from '../../local/manifests/read-manifests.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { creationPath, objectPath } from '../../shared/kubernetes/object-path.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import { createDefinitions, createNamespace } from '../env/api-server-setup.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { ApiError, connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { writeServiceCloud } from '../functions/service-cloud-file.ts';
import { knativeDefinitions, lenientDefinition } from '../knative/knative-definitions.ts';

/** An installation as docs/install.md makes it, on a control plane of its own: everything is there, and says that it is ready. */
export interface Installation {
  readonly controlPlane: ControlPlane;
  readonly api: KubernetesApi;
  readonly cloud: SimulatedOpenStack;
  /** For files of a test; removed at the end. */
  readonly directory: string;
  /** Merges into an object. */
  merge(type: ResourceType, name: string, part: object): Promise<void>;
  read(type: ResourceType, name: string): Promise<Manifest & Record<string, unknown>>;
  /** Merges into a status, as a controller that does not run here would. */
  mergeStatus(type: ResourceType, name: string, part: object): Promise<void>;
  /** Writes conditions, as a controller that does not run here would. */
  say(type: ResourceType, name: string, condition: Condition): Promise<void>;
  create(type: ResourceType, object: object): Promise<void>;
  remove(type: ResourceType, name: string): Promise<void>;
  /** Everything that is in the driver's namespace, and the namespace; only what is missing is made. */
  install(): Promise<void>;
  stop(): Promise<void>;
}

/** What a test has changed. */
export interface Broken {
  /** Further arguments of the doctor. @default none */
  readonly args?: readonly string[];
  /** Makes it whole again. */
  readonly mend: () => Promise<unknown>;
}

export interface Condition {
  readonly type: 'Ready' | 'Available';
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

export const image = `registry.example.org/magnum-capi-functions:${packageJson.version}`;
export const listener = 'https://magnum-listener.example.org:8790/reports/the-secret-of-the-listener';

/** Managers as clusterctl installs them; here they are processes, and only their Deployments tell of them. */
export const managers = [
  ['cluster-api', 'capi-system', 'capi-controller-manager'],
  ['bootstrap-kubeadm', 'capi-kubeadm-bootstrap-system', 'capi-kubeadm-bootstrap-controller-manager'],
  ['control-plane-kubeadm', 'capi-kubeadm-control-plane-system', 'capi-kubeadm-control-plane-controller-manager'],
  ['infrastructure-openstack', 'capo-system', 'capo-controller-manager'],
] as const;

const types: readonly ResourceType[] = [
  ...Object.values<ResourceType>(observedTypes),
  ...Object.values<ResourceType>(resources),
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    plural: 'clusterrolebindings',
    namespaced: false,
  },
];

/** Kinds whose controllers would say that they are ready. */
const readyKinds = ['Service', 'Broker', 'Trigger', 'ApiServerSource', 'PingSource', 'SinkBinding'];

export async function startInstallation(): Promise<Installation> {
  const controlPlane = await startControlPlane();
  const { server, caCertificate, adminToken: token } = controlPlane;
  const api = connectApi({ server, caCertificate, token });
  const [cloud, directory, manifests] = await Promise.all([
    startSimulatedOpenStack(),
    mkdtemp(join(tmpdir(), 'magnum-installation-')),
    readManifests(),
  ]);
  const policy = { apiVersion: 'eventing.knative.dev/v1alpha1', kind: 'EventPolicy', metadata: { name: '' } };
  const { definitions } = await knativeDefinitions([...manifests, policy]);
  const orc = lenientDefinition('openstack.k-orc.cloud', 'v1alpha1', 'Image');
  await createDefinitions(api, [...definitions, orc], AbortSignal.timeout(60_000));
  const objects = objectsOf(api);
  await installManagers(api);
  const install = async () => {
    for (const manifest of manifests.map(adapted)) {
      await objects.create(typeOf(manifest), manifest).catch(unlessPresent);
      if (readyKinds.includes(manifest.kind)) {
        await objects.say(typeOf(manifest), manifest.metadata.name, { type: 'Ready', status: 'True' });
      }
    }
    await objects.create(resources.secret, await serviceCredential(directory, cloud)).catch(unlessPresent);
  };
  await install();
  return {
    ...{ controlPlane, api, cloud, directory, install },
    ...objects,
    async stop() {
      api.close();
      await cloud.stop();
      await controlPlane.stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

function objectsOf(
  api: KubernetesApi,
): Pick<Installation, 'merge' | 'mergeStatus' | 'read' | 'say' | 'create' | 'remove'> {
  const pathOf = (type: ResourceType, name: string) => objectPath(type, referenceOf(type, name));
  const mergeStatus = async (type: ResourceType, name: string, status: object) => {
    const path = pathOf(type, name);
    // A lenient definition has no status of its own.
    await api.call('PATCH', `${path}/status`, { status }).catch(() => api.call('PATCH', path, { status }));
  };
  return {
    merge: async (type, name, part) => void (await api.call('PATCH', pathOf(type, name), part)),
    read: async (type, name) => (await api.call('GET', pathOf(type, name))) as Manifest & Record<string, unknown>,
    mergeStatus,
    say: (type, name, condition) => mergeStatus(type, name, { conditions: [condition] }),
    async create(type, object) {
      const body = { ...object, apiVersion: type.apiVersion, kind: type.kind };
      await api.call('POST', creationPath(type, type.namespaced ? namespace : undefined), body);
    },
    remove: async (type, name) => void (await api.call('DELETE', pathOf(type, name))),
  };
}

function referenceOf({ namespaced }: ResourceType, name: string) {
  return { name, namespace: namespaced ? namespace : undefined };
}

function typeOf({ apiVersion, kind }: Pick<Manifest, 'apiVersion' | 'kind'>): ResourceType {
  const found = types.find((type) => type.apiVersion === apiVersion && type.kind === kind);
  if (found === undefined) throw new Error(`The test knows no ${kind} of ${apiVersion}.`);
  return found;
}

/** What the overlay of an installation changes. */
function adapted(manifest: Manifest): Manifest {
  const text = JSON.stringify(manifest)
    .replaceAll('"image":"magnum-capi-functions"', `"image":"${image}"`)
    .replaceAll('https://magnum-listener.invalid/', listener);
  return JSON.parse(text);
}

async function installManagers(api: KubernetesApi): Promise<void> {
  for (const [provider, folder, name] of managers) {
    await createNamespace(api, folder).catch(unlessPresent);
    const path = `/apis/apps/v1/namespaces/${folder}/deployments`;
    await api.call('POST', path, deployment(name, { 'cluster.x-k8s.io/provider': provider }));
    await api.call('PATCH', `${path}/${name}/status`, availability('True'));
  }
}

/** A Deployment, which nobody carries out here. */
export function deployment(name: string, labels: Readonly<Record<string, string>>): object {
  const containers = [{ name: 'manager', image: 'manager', args: ['--leader-elect'] }];
  const template = { metadata: { labels: { app: name } }, spec: { containers } };
  return { metadata: { name, labels }, spec: { selector: { matchLabels: { app: name } }, template } };
}

export function availability(status: 'True' | 'False'): object {
  const reason = status === 'True' ? 'MinimumReplicasAvailable' : 'MinimumReplicasUnavailable';
  return { status: { conditions: [{ type: 'Available', status, reason, message: 'Said by the test' }] } };
}

async function serviceCredential(directory: string, cloud: SimulatedOpenStack): Promise<object> {
  const { OS_CLIENT_CONFIG_FILE: file = '' } = await writeServiceCloud(directory, cloud);
  const content = await readFile(file);
  return { metadata: { name: 'magnum-service-credential' }, data: { 'clouds.yaml': content.toString('base64') } };
}

function unlessPresent(error: unknown): void {
  if (!(error instanceof ApiError && error.status === 409)) throw error;
}
