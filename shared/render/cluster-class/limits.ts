// What Cluster API's own schemas allow (bootstrap.cluster.x-k8s.io/v1beta2). A variable repeats the limit, so that a value
// which is too long is refused with the Cluster, and does not stop its topology later.

/** Characters of a command line argument's value. */
export const maximumArgumentLength = 1024;

/** Characters of a file's content, base64. */
export const maximumFileLength = 10_240;

/** Characters of a registry prefix. */
export const maximumRepositoryLength = 512;

/** Names in a certificate, beside the API server's four service names. */
export const maximumOwnCertSans = 96;

/** Taints of a node. */
export const maximumTaints = 100;
