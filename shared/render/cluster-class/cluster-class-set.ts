import { createHash } from 'node:crypto';
import { resources } from '../../kubernetes/resources.ts';
import { managedByLabel, managementNamespace } from '../metadata.ts';
import type { RenderedObject } from '../rendered-object.ts';
import { className } from './class-name.ts';
import { features } from './features.ts';
import { workerClass } from './selectors.ts';
import {
  type BaseTemplate,
  kubeadmConfigTemplate,
  kubeadmControlPlaneTemplate,
  openStackClusterTemplate,
  openStackMachineTemplate,
} from './templates.ts';

/** A ClusterClass with its four templates, all of one name. */
export interface ClusterClassSet {
  /** `magnum-v<version>-<8 hex of content>`. */
  readonly name: string;
  /** In the order in which they are written: what is referred to comes first. */
  readonly objects: readonly RenderedObject[];
}

interface ClassObject extends RenderedObject {
  readonly spec: object;
}

const hashLength = 8;

/** Replace a machine whose node is not ready for this long, while no more than this share is (original-facts §1.2). */
const unhealthySeconds = 300;
const unhealthyLimit = '80%';
const nodeVolumeDetachTimeoutSeconds = 300;

const healthCheck = {
  checks: {
    unhealthyNodeConditions: ['False', 'Unknown'].map((status) => ({
      type: 'Ready',
      status,
      timeoutSeconds: unhealthySeconds,
    })),
  },
  remediation: { triggerIf: { unhealthyLessThanOrEqualTo: unhealthyLimit } },
};

/**
 * The class of a release. Its name holds a hash of its content, so a class is never changed in place: that would roll every
 * cluster which uses it (original-facts §1.1).
 */
export function clusterClassSet(version: string): ClusterClassSet {
  const hash = createHash('sha256')
    .update(JSON.stringify(classObjects('name')))
    .digest('hex')
    .slice(0, hashLength);
  const name = className(version, hash);
  return { name, objects: classObjects(name) };
}

function classObjects(name: string): ClassObject[] {
  const templates = [
    openStackClusterTemplate,
    openStackMachineTemplate,
    kubeadmControlPlaneTemplate,
    kubeadmConfigTemplate,
  ].map(({ apiVersion, kind, spec }) => classObject({ apiVersion, kind }, name, { template: { spec } }));
  return [...templates, classObject(resources.clusterClass, name, classSpec(name))];
}

function classObject(type: { apiVersion: string; kind: string }, name: string, spec: object): ClassObject {
  return {
    apiVersion: type.apiVersion,
    kind: type.kind,
    metadata: { name, namespace: managementNamespace, labels: managedByLabel },
    spec,
  };
}

function classSpec(name: string) {
  const machineInfrastructure = { templateRef: reference(openStackMachineTemplate, name) };
  const shared = { healthCheck, deletion: { nodeVolumeDetachTimeoutSeconds } };
  return {
    infrastructure: { templateRef: reference(openStackClusterTemplate, name) },
    controlPlane: { templateRef: reference(kubeadmControlPlaneTemplate, name), machineInfrastructure, ...shared },
    workers: {
      machineDeployments: [
        {
          class: workerClass,
          bootstrap: { templateRef: reference(kubeadmConfigTemplate, name) },
          infrastructure: machineInfrastructure,
          ...shared,
        },
      ],
    },
    variables: features.flatMap((feature) => feature.variables),
    patches: features.flatMap((feature) => feature.patches),
  };
}

function reference({ apiVersion, kind }: BaseTemplate, name: string) {
  return { apiVersion, kind, name };
}
