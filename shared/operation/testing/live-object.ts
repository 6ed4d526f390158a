/** A Cluster as the API server gives it, with what the operations read. */
export function liveObject(
  given: { readonly annotations?: Readonly<Record<string, string>>; readonly version?: string } = {},
): object {
  const { annotations, version = '1' } = given;
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta2',
    kind: 'Cluster',
    metadata: {
      name: 'kube-abcde',
      uid: 'u',
      resourceVersion: version,
      labels: { 'cluster-uuid': 'uuid-1' },
      ...(annotations && { annotations }),
    },
    spec: { topology: { classRef: { name: 'c' }, version: 'v1.33.4' } },
  };
}
