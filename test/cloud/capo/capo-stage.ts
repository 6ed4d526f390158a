import { afterAll, beforeAll, inject } from 'vitest';
import * as z from 'zod';
import { type ResourceType, resources } from '../../../shared/kubernetes/resources.ts';
import { ApiError, connectApi, type KubernetesApi } from '../../env/kubernetes-api.ts';
import { waitFor } from '../../env/wait-for.ts';
import { createTestNamespace } from '../../kubernetes/test-namespace.ts';
import { demoCredential } from '../openstack/demo-session.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../openstack/simulated-openstack.ts';
import { createIdleWorkloadCluster } from './idle-workload-cluster.ts';
import { pathOf } from './infrastructure-objects.ts';
import { type SimulatedCapo, startSimulatedCapo } from './simulated-capo.ts';

const group = 'infrastructure.cluster.x-k8s.io';

const viewed = z.looseObject({
  metadata: z.looseObject({ name: z.string() }),
  spec: z.looseObject({}).default({}),
  status: z.looseObject({}).default({}),
});
/** An object as the API server has it. */
export type Viewed = z.infer<typeof viewed>;

export interface CapoStage {
  readonly api: KubernetesApi;
  readonly cloud: SimulatedOpenStack;
  readonly capo: SimulatedCapo;
  readonly namespace: string;
  /** What the machines of all clusters were told, e.g. `boot a-1`. */
  readonly machineLog: readonly string[];
  /** What CAPO's log would say of failed reconciliations. */
  readonly complaints: readonly string[];
  /** Creates a Cluster with its OpenStackCluster, and the Secrets that both need. */
  createCluster(name: string, spec?: Readonly<Record<string, unknown>>): Promise<void>;
  /** Creates a Machine that waits for its bootstrap data, with its OpenStackMachine. */
  createMachine(cluster: string, name: string, options?: MachineOptions): Promise<void>;
  /** Gives a Machine its bootstrap data. */
  bootstrap(name: string): Promise<void>;
  get(type: ResourceType, name: string): Promise<Viewed>;
  /** Events of the object, as `Type Reason: message`, in the order of their recording, without repetitions. */
  events(name: string): Promise<string[]>;
  remove(type: ResourceType, name: string): Promise<void>;
  gone(type: ResourceType, name: string): Promise<void>;
}

export interface MachineOptions {
  readonly isControlPlane?: boolean;
  /** Fields of the OpenStackMachine's spec. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

/** A simulated CAPO in a namespace of its own, beside the real core manager of Cluster API; gives it once tests run. */
export function capoStageOfFile(): () => CapoStage {
  let stage: Awaited<ReturnType<typeof startStage>> | undefined;
  beforeAll(async () => {
    stage = await startStage();
  });
  afterAll(() => stage?.stop());
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}

async function startStage(): Promise<CapoStage & { stop(): Promise<void> }> {
  const own = await createTestNamespace('capo');
  const { namespace } = own;
  const access = { server: inject('server'), caCertificate: inject('caCertificate'), adminToken: inject('adminToken') };
  const api = connectApi({ ...access, token: access.adminToken });
  const cloud = await startSimulatedOpenStack();
  const machineLog: string[] = [];
  const complaints: string[] = [];
  const capo = await startSimulatedCapo({
    controlPlane: { ...access, etcdUrl: inject('etcdUrl') },
    cloud,
    namespace,
    // Waits of 10 s become 0.2 s.
    pace: 0.02,
    onProgress: (line) => complaints.push(line),
    serverBuildTime: 200,
    createWorkloadCluster: async () => createIdleWorkloadCluster(machineLog),
  });
  const objects = new StageObjects(api, cloud, namespace);
  return {
    api,
    cloud,
    capo,
    namespace,
    machineLog,
    complaints,
    createCluster: (name, spec) => objects.createCluster(name, spec),
    createMachine: (cluster, name, options) => objects.createMachine(cluster, name, options),
    bootstrap: (name) => objects.bootstrap(name),
    get: (type, name) => objects.get(type, name),
    events: (name) => objects.events(name),
    remove: async (type, name) => void (await api.call('DELETE', pathOf(type, namespace, name))),
    gone: (type, name) => objects.gone(type, name),
    async stop() {
      await capo.stop();
      await cloud.stop();
      api.close();
      own.close();
    },
  };
}

const eventList = z.object({
  items: z.array(
    z.looseObject({
      metadata: z.looseObject({ resourceVersion: z.string() }),
      type: z.string(),
      reason: z.string(),
      message: z.string(),
      source: z.looseObject({ component: z.string().default('') }).default({ component: '' }),
    }),
  ),
});

class StageObjects {
  readonly #api: KubernetesApi;
  readonly #cloud: SimulatedOpenStack;
  readonly #namespace: string;

  constructor(api: KubernetesApi, cloud: SimulatedOpenStack, namespace: string) {
    this.#api = api;
    this.#cloud = cloud;
    this.#namespace = namespace;
  }

  async createCluster(name: string, spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
    await this.#createSecrets(name);
    await this.#create(resources.cluster, name, {
      spec: { infrastructureRef: { apiGroup: group, kind: 'OpenStackCluster', name } },
    });
    const identityRef = { name: `${name}-cloud-config`, cloudName: 'default', type: 'Secret' };
    await this.#create(resources.openStackCluster, name, {
      spec: {
        identityRef,
        apiServerLoadBalancer: { enabled: true },
        managedSecurityGroups: { allowAllInClusterTraffic: true },
        managedSubnets: [{ cidr: '10.0.0.0/24' }],
        ...spec,
      },
    });
  }

  async createMachine(cluster: string, name: string, options: MachineOptions = {}): Promise<void> {
    const role = options.isControlPlane === true ? { 'cluster.x-k8s.io/control-plane': '' } : {};
    const labels = { 'cluster.x-k8s.io/cluster-name': cluster, ...role };
    const configRef = { apiGroup: 'bootstrap.cluster.x-k8s.io', kind: 'KubeadmConfig', name };
    await this.#create(resources.machine, name, {
      metadata: { labels },
      spec: {
        clusterName: cluster,
        version: 'v1.33.4',
        bootstrap: { configRef },
        infrastructureRef: { apiGroup: group, kind: 'OpenStackMachine', name },
      },
    });
    const image = this.#cloud.state.images[0]?.id;
    await this.#create(resources.openStackMachine, name, {
      metadata: { labels },
      spec: { flavor: 'm1.medium', image: { id: image }, sshKeyName: 'mykey', ...options.spec },
    });
  }

  async bootstrap(name: string): Promise<void> {
    const data = { value: Buffer.from('#cloud-config').toString('base64') };
    await this.#create({ ...resources.secret }, `${name}-bootstrap`, { data });
    const change = { spec: { bootstrap: { dataSecretName: `${name}-bootstrap` } } };
    await this.#api.call('PATCH', pathOf(resources.machine, this.#namespace, name), change);
  }

  async get(type: ResourceType, name: string): Promise<Viewed> {
    return viewed.parse(await this.#api.call('GET', pathOf(type, this.#namespace, name)));
  }

  async events(name: string): Promise<string[]> {
    const selector = encodeURIComponent(`involvedObject.name=${name}`);
    const path = `${pathOf({ ...resources.event }, this.#namespace)}?fieldSelector=${selector}`;
    const { items } = eventList.parse(await this.#api.call('GET', path));
    return items
      .filter(({ source }) => source.component === 'openstack-controller')
      .sort((one, other) => Number(one.metadata.resourceVersion) - Number(other.metadata.resourceVersion))
      .map(({ type, reason, message }) => `${type} ${reason}: ${message}`);
  }

  async gone(type: ResourceType, name: string): Promise<void> {
    const probe = async () => {
      try {
        await this.get(type, name);
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return;
        throw error;
      }
      throw new Error('it is still there');
    };
    await waitFor(probe, { what: `${type.kind} ${name} to be gone`, timeout: 30_000 });
  }

  async #createSecrets(name: string): Promise<void> {
    const credential = demoCredential(this.#cloud);
    const auth = { application_credential_id: credential.id, application_credential_secret: credential.secret };
    const clouds = JSON.stringify({ clouds: { default: { auth } } });
    await this.#createSecret(`${name}-cloud-config`, { 'clouds.yaml': clouds });
    for (const suffix of ['ca', 'etcd', 'proxy', 'sa']) {
      await this.#createSecret(`${name}-${suffix}`, { 'tls.crt': 'certificate', 'tls.key': 'key' });
    }
  }

  async #createSecret(name: string, content: Readonly<Record<string, string>>): Promise<void> {
    const encoded = Object.entries(content).map(([key, value]) => [key, Buffer.from(value).toString('base64')]);
    await this.#create({ ...resources.secret }, name, { data: Object.fromEntries(encoded) });
  }

  async #create(
    type: ResourceType,
    name: string,
    object: { readonly metadata?: object; readonly [key: string]: unknown },
  ) {
    const { apiVersion, kind } = type;
    const metadata = { ...object.metadata, name, namespace: this.#namespace };
    const path = pathOf(type, this.#namespace);
    await this.#api.call('POST', `${path}?fieldValidation=Strict`, { apiVersion, kind, ...object, metadata });
  }
}

const conditioned = z.object({ conditions: z.array(z.looseObject({ lastTransitionTime: z.string() })).default([]) });

/** The conditions of an object without their times. */
export function conditionsOf({ status }: Viewed): unknown[] {
  return conditioned.parse(status).conditions.map(({ lastTransitionTime: _, ...state }) => state);
}
