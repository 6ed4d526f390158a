import { Slots } from '../../shared/host/slots.ts';
import { collectionPath, objectPath } from '../../shared/kubernetes/object-path.ts';
import { type ResourceType, resources } from '../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';
import type { BenchObject } from './bench-cluster.ts';

/** Objects that are written at once. */
const writers = 12;

/** Kinds of which the bench writes objects. */
const kinds = [
  resources.cluster,
  resources.kubeadmControlPlane,
  resources.machineDeployment,
  resources.machine,
  resources.secret,
] as const;

/** Writes objects with their statuses. */
export async function writeObjects(api: KubernetesApi, objects: readonly BenchObject[]): Promise<void> {
  const slots = new Slots(writers);
  await Promise.all(objects.map((object) => slots.run(() => writeObject(api, object))));
}

async function writeObject(api: KubernetesApi, { type, object }: BenchObject): Promise<void> {
  const { status, ...rest } = object;
  const { apiVersion, kind } = type;
  await api.call('POST', collectionPath(type, namespace), { apiVersion, kind, ...rest });
  if (status !== undefined) await writeStatus(api, { type, name: object.metadata?.name ?? '' }, status);
}

/** An object of the bench by its name. */
export interface NamedObject {
  readonly type: Pick<ResourceType, 'apiVersion' | 'kind' | 'plural' | 'namespaced'>;
  readonly name: string;
}

/** Merges fields into the status of an object. */
export async function writeStatus(api: KubernetesApi, { type, name }: NamedObject, status: unknown): Promise<void> {
  await api.call('PATCH', `${objectPath(type, { name, namespace })}/status`, { status });
}

export async function deleteObject(api: KubernetesApi, { type, name }: NamedObject): Promise<void> {
  await api.call('DELETE', objectPath(type, { name, namespace }));
}

/** Deletes everything that the bench has written; of many objects a call may not see the end, and the next one goes on. */
export async function deleteObjects(api: KubernetesApi): Promise<void> {
  for (const type of kinds) {
    const remove = () => api.call('DELETE', collectionPath(type, namespace));
    await waitFor(remove, { what: `the ${type.plural} of the bench to be deleted`, timeout: 120_000 });
  }
}
