import { afterAll, beforeAll } from 'vitest';
import { knativeObjects } from '../../local/manifests/knative-objects.ts';
import { readManifests } from '../../local/manifests/read-manifests.ts';
import { createDefinitions } from '../env/api-server-setup.ts';
import { type ControlPlane, startControlPlane } from '../env/control-plane.ts';
import { connectApi, type KubernetesApi } from '../env/kubernetes-api.ts';
import { lenientDefinition } from '../knative/knative-definitions.ts';

/** An API server that has the kinds which the source of knative/ watches, without Cluster API behind them. */
export interface ManagedApi {
  readonly api: KubernetesApi;
  readonly kubeconfigPath: string;
  readonly server: string;
  /** Creates a Cluster of Magnum. */
  createCluster(name: string, labels?: Readonly<Record<string, string>>): Promise<void>;
  /** Changes a Cluster's labels. */
  label(name: string, labels: Readonly<Record<string, string>>): Promise<void>;
  deleteCluster(name: string): Promise<void>;
}

const clusters = '/apis/cluster.x-k8s.io/v1beta2/namespaces/magnum-system/clusters';
export const ofMagnum = { 'cluster-uuid': 'a3f0b1c2-0000-4000-8000-000000000001' };

/** Starts one for a test file; gives it once the tests run. */
export function managedApiOfFile(): () => ManagedApi {
  let controlPlane: ControlPlane | undefined;
  let managed: ManagedApi | undefined;
  beforeAll(async () => {
    controlPlane = await startControlPlane({ managers: false });
    managed = await prepare(controlPlane);
  });
  afterAll(async () => {
    managed?.api.close();
    await controlPlane?.stop();
  });
  return () => {
    if (managed === undefined) throw new Error('The API server is there only while tests run.');
    return managed;
  };
}

async function prepare({ server, caCertificate, adminToken, kubeconfigPath }: ControlPlane): Promise<ManagedApi> {
  const api = connectApi({ server, caCertificate, token: adminToken });
  const { apiServerSources } = knativeObjects(await readManifests());
  const kinds = apiServerSources.flatMap(({ spec }) => spec.resources).filter(({ kind }) => kind !== 'Deployment');
  const definitions = kinds.map(({ apiVersion, kind }) => {
    const [group = '', version = ''] = apiVersion.split('/');
    return lenientDefinition(group, version, kind);
  });
  await createDefinitions(api, definitions, AbortSignal.timeout(60_000));
  return {
    api,
    kubeconfigPath,
    server,
    async createCluster(name, labels = ofMagnum) {
      const metadata = { name, labels };
      await api.call('POST', clusters, { apiVersion: 'cluster.x-k8s.io/v1beta2', kind: 'Cluster', metadata, spec: {} });
    },
    async label(name, labels) {
      const current = await api.call('GET', `${clusters}/${name}`);
      const { metadata, ...rest } = current as { metadata: object };
      await api.call('PUT', `${clusters}/${name}`, { ...rest, metadata: { ...metadata, labels } });
    },
    async deleteCluster(name) {
      await api.call('DELETE', `${clusters}/${name}`);
    },
  };
}
