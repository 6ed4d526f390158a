import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import type { ClusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';

export interface Environment extends OperationEnvironment {
  /** The class that an upgraded cluster moves to. */
  readonly classes: ClusterClassSet;
  /** Milliseconds that Cluster API gets to apply changed add-ons, where the upgrade goes on by them. */
  readonly applyMs: number;
}
