/** Namespace of every object in the management cluster, as in magnum-cluster-api (seed §3.1). */
export const managementNamespace = 'magnum-system';

/** On everything that this driver wrote; only objects that carry it are ever cleaned up. */
export const managedByLabel = { 'app.kubernetes.io/managed-by': 'magnum-capi-functions' } as const;

/** Selects what this driver wrote. */
export const managedBySelector = Object.entries(managedByLabel)
  .map(([key, value]) => `${key}=${value}`)
  .join(',');

/** Label with the Magnum cluster's UUID, by which ClusterResourceSets select the Cluster (seed §3.2). */
export const clusterUuidLabel = 'cluster-uuid';

/** Annotation with the name that the cluster has in Magnum, for people; a cluster of the original driver has none. */
export const clusterTitleAnnotation = 'magnum.openstack.org/cluster-name';

/** Label by which Cluster API finds what belongs to a Cluster. */
export const clusterNameLabel = 'cluster.x-k8s.io/cluster-name';

/** Longest value of a label, and longest name of most objects (RFC 1123). */
export const maximumLabelLength = 63;

/** Text as a valid label value: what is not allowed becomes `_`, and it is cut to 63 characters. */
export function labelValue(text: string): string {
  return text
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, maximumLabelLength)
    .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
}
