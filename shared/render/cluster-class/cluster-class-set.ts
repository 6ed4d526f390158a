import type { KubernetesObject } from '../kubernetes-object.ts';

/** A ClusterClass with its four templates, all of one name. */
export interface ClusterClassSet {
  /** `magnum-v<version>-<8 hex of content>`. */
  readonly name: string;
  /** In the order in which they are written: what is referred to comes first. */
  readonly objects: readonly KubernetesObject[];
}

export declare function clusterClassSet(version: string): ClusterClassSet;
