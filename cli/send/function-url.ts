import type { FunctionName } from '../../shared/contract/event-types.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';
import { textAt } from '../../shared/status/views/json-part.ts';
import type { ManagementCluster } from '../management-cluster.ts';

const knativeService: ResourceType = {
  apiVersion: 'serving.knative.dev/v1',
  kind: 'Service',
  plural: 'services',
  namespaced: true,
};

/** Where `npm start` serves a function, unless it was given another port. */
export function localUrl(name: FunctionName): string {
  return `http://127.0.0.1:8080/${name}`;
}

/** Where Knative serves a function. @throws Error in one sentence that says what to do */
export async function functionUrl(
  { client, namespace }: ManagementCluster,
  name: FunctionName,
  signal: AbortSignal,
): Promise<string> {
  const service = `magnum-${name}`;
  const found = await client.find(knativeService, { namespace, name: service }, { signal });
  if (found === undefined) {
    throw new Error(
      `There is no Service ${namespace}/${service}: is knative/ applied? Otherwise say --url, or --local.`,
    );
  }
  const url = textAt(found, 'status', 'url');
  if (url === null) throw new Error(`The Service ${namespace}/${service} has no URL yet: it is not ready.`);
  return url;
}

/** Only what runs in the management cluster reaches such a Service. */
export function isClusterLocal(url: string): boolean {
  return new URL(url).hostname.endsWith('.svc.cluster.local');
}
