import { type EventFunction, eventFunction } from '../../shared/host/event-function.ts';
import { type OperationFunctionOptions, operationEnvironment } from '../../shared/operation/operation-environment.ts';
import { rejection } from '../../shared/operation/rejection.ts';
import { clusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';
import {
  acceptedEvents,
  caRotateType,
  clusterUpdateType,
  clusterUpgradeType,
  credentialRotateType,
} from './accepted-events.ts';
import { rotateCredential } from './rotate-credential.ts';
import { upgradeCluster } from './upgrade-cluster.ts';

export interface UpgradeFunctionOptions extends OperationFunctionOptions {
  /** Version of the driver; part of the ClusterClass's name. */
  readonly version: string;
  /** Milliseconds that Cluster API gets to apply changed add-ons; 0 where it never will. @default 8_000 */
  readonly applyMs?: number | undefined;
}

/** What is never supported: a sentence, and what to do instead. */
const unsupported = {
  [clusterUpdateType]: {
    message: 'The driver does not update a cluster in place.',
    hint: 'Resize a nodegroup, change it with nodegroup update, or upgrade the cluster to another template.',
  },
  [caRotateType]: {
    message: "The driver does not replace a cluster's certificate authorities.",
    hint: 'Create a new cluster; certificates that the authorities issued are renewed by themselves.',
  },
} as const;

/** Cluster API's usual time for all add-ons is less than half of that. */
const defaultApplyMs = 8_000;

/** The upgrade function: cluster.upgrade and cluster.credential.rotate; what is unsupported is rejected. */
export function upgradeFunction(options: UpgradeFunctionOptions): EventFunction {
  const { applyMs = defaultApplyMs } = options;
  const classes = clusterClassSet(options.version);
  return eventFunction({
    name: 'upgrade',
    accepts: acceptedEvents,
    async handle(context, event) {
      if (event.type === clusterUpgradeType) {
        return upgradeCluster({ ...operationEnvironment(options, context), classes, applyMs }, event);
      }
      if (event.type === credentialRotateType) return rotateCredential(operationEnvironment(options, context), event);
      const { message, hint } = unsupported[event.type];
      throw rejection('unsupported', message, { hint });
    },
  });
}
