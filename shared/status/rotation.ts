/** How far the change of a cluster to a new application credential is. */
export type ObservedRotation =
  /** Something has to happen first; one sentence. */
  | { readonly kind: 'waiting'; readonly told: string }
  /** The cluster has the new Secret, and the workloads that have read the old one can be restarted. */
  | { readonly kind: 'restart'; readonly hash: string }
  /** Nothing uses another credential than this one any more; `replaced` = how many can be deleted now. */
  | { readonly kind: 'moved'; readonly credentialId: string; readonly replaced: number };
