import { deriveStatus } from '../derive-status.ts';
import type { MagnumView, Observed } from '../observed.ts';
import {
  ago,
  type ClusterFields,
  cluster,
  controlPlane,
  machine,
  machineDeployment,
  master,
  now,
  observed,
  record,
  stackId,
  uuid,
  worker,
} from './objects.ts';

export function derived(changes: Partial<Observed> = {}, magnum: MagnumView | null = null) {
  const status = deriveStatus(observed(changes), { now, magnum });
  if (status === null) throw new Error('There is nothing to report.');
  return status;
}

export function reportOf(changes: Partial<Observed> = {}, magnum: MagnumView | null = null) {
  return derived(changes, magnum).report;
}

export function nodegroup(name: string, changes: Partial<Observed> = {}, magnum: MagnumView | null = null) {
  const found = reportOf(changes, magnum).nodegroups.find((one) => one.name === name);
  if (found === undefined) throw new Error(`There is no nodegroup ${name}.`);
  return found;
}

export function magnum(status: string | null, nodegroups: MagnumView['nodegroups'] = []): MagnumView {
  return { uuid, status, nodegroups };
}

export function row(name: string, status: string | null, role = 'worker') {
  return { name, status, role };
}

export const creating = { '': record('cluster.create') };
export const created = { '': record('cluster.create', { started: ago(50), completed: ago(40) }) };
export const upgrading = { '': record('cluster.upgrade') };
export const withCluster = (fields: ClusterFields) => ({ cluster: cluster({ records: creating, ...fields }) });

export const said = (fields: ClusterFields['said']) =>
  withCluster({ ...(fields === undefined ? {} : { said: fields }) });
export const aMachine = (fields: Parameters<typeof machine>[1]) => ({ machines: [master, machine('w', fields)] });
export const aMaster = (fields: Parameters<typeof machine>[1]) => ({
  machines: [machine('m', { nodegroup: null, ...fields }), worker],
});
export const anMd = (fields: Parameters<typeof machineDeployment>[1]) => ({
  machineDeployments: [machineDeployment('default-worker', fields)],
});
export const aKcp = (fields: Parameters<typeof controlPlane>[0]) => ({ controlPlane: controlPlane(fields) });
/** One add-on that cannot be applied. As Cluster API writes it, the error itself stands in the older conditions alone. */
export const failedAddons = (error: string) => {
  const failed = { type: 'ResourcesApplied', status: 'False', reason: 'NotApplied' };
  return {
    resourceSet: {
      spec: { resources: [{ kind: 'Secret', name: `${stackId}-calico` }] },
      status: {
        conditions: [{ ...failed, message: 'Failed to apply ClusterResourceSet resources to Cluster' }],
        deprecated: { v1beta1: { conditions: [{ ...failed, severity: 'Warning', message: error }] } },
      },
    },
    binding: null,
  };
};
export const addons = (resources: readonly object[]) => ({
  resourceSet: {
    spec: {
      resources: [
        { kind: 'Secret', name: 'a' },
        { kind: 'Secret', name: 'b' },
      ],
    },
  },
  binding: { spec: { bindings: [{ clusterResourceSetName: `${stackId}-addons`, resources }] } },
});
