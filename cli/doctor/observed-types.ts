import type { CustomObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ResourceType } from '../../shared/kubernetes/resources.ts';

/** Kinds of an installation that the driver itself never asks for. */
export const observedTypes = {
  namespace: { apiVersion: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false },
  customResourceDefinition: {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    plural: 'customresourcedefinitions',
    namespaced: false,
  },
  networkPolicy: { ...namespaced('networking.k8s.io/v1', 'NetworkPolicy'), plural: 'networkpolicies' },
  knativeService: namespaced('serving.knative.dev/v1', 'Service'),
  broker: namespaced('eventing.knative.dev/v1', 'Broker'),
  trigger: namespaced('eventing.knative.dev/v1', 'Trigger'),
  apiServerSource: namespaced('sources.knative.dev/v1', 'ApiServerSource'),
  pingSource: namespaced('sources.knative.dev/v1', 'PingSource'),
  sinkBinding: namespaced('sources.knative.dev/v1', 'SinkBinding'),
  /** Of the OpenStack Resource Controller; it has nothing to do with container images. */
  orcImage: namespaced('openstack.k-orc.cloud/v1alpha1', 'Image'),
  eventPolicy: { ...namespaced('eventing.knative.dev/v1alpha1', 'EventPolicy'), plural: 'eventpolicies' },
} as const satisfies Readonly<Record<string, ResourceType>>;

function namespaced(apiVersion: string, kind: string): ResourceType<CustomObject> {
  return { apiVersion, kind, plural: `${kind.toLowerCase()}s`, namespaced: true };
}
