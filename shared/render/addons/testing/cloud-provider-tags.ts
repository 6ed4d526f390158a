/** The newest patch releases of cloud-provider-openstack that registry.k8s.io has, by a version of Kubernetes. */
export const cloudProviderTags = [
  ['v1.30.14', 'v1.30.3'],
  ['v1.31.9', 'v1.31.4'],
  ['v1.32.5', 'v1.32.1'],
  ['v1.33.4', 'v1.33.1'],
  ['v1.34.8', 'v1.34.1'],
  ['v1.35.5', 'v1.35.0'],
  ['v1.36.1', 'v1.36.0'],
] as const;
