import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as z from 'zod';
import { managementNamespace } from '../../shared/render/metadata.ts';
import type { WireRequest } from './wire-request.ts';

/** Beside the repository: what a real ApiServerSource sent while a cluster was created, upgraded and deleted. */
const record = fileURLToPath(new URL('../../../shared/samples/apiserversource-life.jsonl', import.meta.url));
/** Name of the cluster in the record. */
export const recordedStackId = 'kube-abcde';

const line = z.object({ headers: z.record(z.string(), z.string()), body: z.string() });

/** Every request of the record; undefined where the file is not there. */
export function recordedRequests(): readonly WireRequest[] | undefined {
  try {
    const lines = readFileSync(record, 'utf8').trimEnd().split('\n');
    return lines.map((text) => line.parse(JSON.parse(text)));
  } catch (error) {
    if (Object(error).code === 'ENOENT') return undefined;
    throw error;
  }
}

export interface Change {
  readonly change: 'add' | 'update' | 'delete';
  readonly apiVersion: string;
  readonly kind: string;
  /** As ApiServerSource guesses it from the kind. */
  readonly plural: string;
  readonly name: string;
  /** `''` for what has none. @default the management namespace */
  readonly namespace?: string;
}

/** The request of an ApiServerSource in Reference mode (eventing 1.22), in the shape that the record has. */
export function sourceRequest(object: Change): WireRequest {
  const { change, apiVersion, kind, plural, name, namespace = managementNamespace } = object;
  return {
    headers: {
      'user-agent': 'Go-http-client/1.1',
      'ce-apiversion': apiVersion,
      'ce-id': randomUUID(),
      'ce-kind': kind,
      'ce-name': name,
      'ce-namespace': namespace,
      'ce-source': 'https://10.96.0.1:443',
      'ce-specversion': '1.0',
      'ce-subject': `/apis/${apiVersion}/namespaces/${namespace}/${plural}/${name}`,
      // Go writes nanoseconds.
      'ce-time': new Date().toISOString().replace('Z', '123456Z'),
      'ce-type': `dev.knative.apiserver.ref.${change}`,
      'content-type': 'application/json',
      'kn-namespace': 'magnum-functions',
    },
    body: JSON.stringify({ kind, namespace, name, apiVersion }),
  };
}

const clusterApi = 'cluster.x-k8s.io/v1beta2';
const capo = 'infrastructure.cluster.x-k8s.io';
const objects: readonly Omit<Change, 'change'>[] = [
  { apiVersion: clusterApi, kind: 'Cluster', plural: 'clusters', name: '' },
  { apiVersion: clusterApi, kind: 'MachineDeployment', plural: 'machinedeployments', name: '-default-worker-abcde' },
  { apiVersion: clusterApi, kind: 'Machine', plural: 'machines', name: '-abcde-f9k2p' },
  {
    apiVersion: 'controlplane.cluster.x-k8s.io/v1beta2',
    kind: 'KubeadmControlPlane',
    plural: 'kubeadmcontrolplanes',
    name: '-abcde',
  },
  { apiVersion: `${capo}/v1beta1`, kind: 'OpenStackCluster', plural: 'openstackclusters', name: '-abcde' },
  { apiVersion: `${capo}/v1alpha1`, kind: 'OpenStackServer', plural: 'openstackservers', name: '-abcde-f9k2p' },
  { apiVersion: 'apps/v1', kind: 'Deployment', plural: 'deployments', name: '-autoscaler' },
];

/** A small life of one cluster: each of its objects comes, changes and goes. */
export function requestsOfLife(stackId: string): readonly WireRequest[] {
  return (['add', 'update', 'delete'] as const).flatMap((change) =>
    objects.map((object) => sourceRequest({ ...object, change, name: `${stackId}${object.name}` })),
  );
}
