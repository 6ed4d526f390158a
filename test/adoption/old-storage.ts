import * as z from 'zod';
import { managementNamespace as namespace } from '../../shared/render/metadata.ts';
import type { KubernetesApi } from '../env/kubernetes-api.ts';
import { waitFor } from '../env/wait-for.ts';

const group = 'cluster.x-k8s.io';
/** Where today's conversion keeps what the old version cannot say; nobody kept it then. */
const conversionData = 'cluster.x-k8s.io/conversion-data';

const oldObject = z.looseObject({
  metadata: z.looseObject({
    resourceVersion: z.string().optional(),
    annotations: z.record(z.string(), z.string()).default({}),
  }),
});
type OldObject = z.infer<typeof oldObject>;

const outcome = z.object({ succeeded: z.literal(true) });

interface Management {
  readonly api: KubernetesApi;
  readonly controlPlane: { readonly etcdUrl: string };
}

export interface StoredName {
  /** E.g. `clusters`. */
  readonly plural: string;
  readonly name: string;
}

/**
 * Puts an object of Cluster API into etcd as the API server stored it until Cluster API 1.10: in v1beta1, with values that its
 * schema allowed then and refuses now.
 */
export async function storeInV1beta1(
  { api, controlPlane }: Management,
  { plural, name }: StoredName,
  change: (object: OldObject) => void,
): Promise<void> {
  const key = base64(`/registry/${group}/${plural}/${namespace}/${name}`);
  const attempt = async () => {
    const object = oldObject.parse(
      await api.call('GET', `/apis/${group}/v1beta1/namespaces/${namespace}/${plural}/${name}`),
    );
    const { resourceVersion: modRevision, ...metadata } = object.metadata;
    delete metadata.annotations[conversionData];
    object.metadata = metadata;
    change(object);
    // The resource version is etcd's revision of the key.
    const compare = [{ key, target: 'MOD', result: 'EQUAL', modRevision }];
    const success = [{ requestPut: { key, value: base64(`${JSON.stringify(object)}\n`) } }];
    const url = new URL('/v3/kv/txn', controlPlane.etcdUrl);
    const answer = await fetch(url, { method: 'POST', body: JSON.stringify({ compare, success }) });
    outcome.parse(await answer.json());
  };
  await waitFor(attempt, { what: `${plural}/${name} to be stored` });
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
