import type { OperationEnvironment } from '../../shared/operation/operation-environment.ts';
import type { ClusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';

export interface Environment extends OperationEnvironment {
  readonly classes: ClusterClassSet;
}
