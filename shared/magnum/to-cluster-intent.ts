import type { ClusterIntent } from './cluster-intent.ts';
import { addonIntent } from './intent/addons.ts';
import { apiServerIntent, kubeletIntent } from './intent/api-server.ts';
import { controlPlaneIntent, isMaster } from './intent/control-plane.ts';
import { cniOf, kubernetesVersionOf, operatingSystemOf } from './intent/kubernetes.ts';
import { loadBalancerIntent } from './intent/load-balancer.ts';
import { networkIntent } from './intent/network.ts';
import { isDeleting, nameSubject, nodegroupIntent } from './intent/nodegroup.ts';
import { proxyIntent } from './intent/proxy.ts';
import { bootVolumeIntent, dockerVolumeIntent, etcdVolumeIntent, zonesOf } from './intent/volumes.ts';
import type { Outcome } from './reading/fault-list.ts';
import { type ClusterReading, clusterReading, nodegroupReading } from './reading/snapshot-reading.ts';
import type { MagnumSnapshot, NodegroupSnapshot } from './snapshot.ts';

/**
 * What a snapshot asks for, or all its faults at once. Names of flavors, images and networks are not looked up here.
 * Unknown labels pass. If Magnum knows a stack id, the cluster exists: since its labels cannot be changed any more, what
 * the original driver let pass becomes a note. Delete, status and health requests never come here: a cluster whose labels
 * are wrong can still be deleted (user-reports A1).
 */
export function toClusterIntent(snapshot: MagnumSnapshot): Outcome<ClusterIntent> {
  const reading = clusterReading(snapshot);
  const { cluster, labels, faults } = reading;
  const kubernetesVersion = kubernetesVersionOf(reading);
  const cni = cniOf(reading);
  return faults.outcome({
    uuid: snapshot.cluster.uuid,
    projectId: cluster.text('project_id') ?? cluster.missing('project_id'),
    userId: cluster.text('user_id') ?? cluster.missing('user_id'),
    stackId: snapshot.cluster.stack_id || null,
    kubernetesVersion,
    operatingSystem: operatingSystemOf(reading),
    cni,
    controlPlane: controlPlaneIntent(reading),
    workers: workers(reading),
    keypair: cluster.text('keypair'),
    network: networkIntent(reading, cni.kind),
    apiServer: apiServerIntent(reading, kubernetesVersion),
    kubelet: kubeletIntent(labels),
    loadBalancer: loadBalancerIntent(reading),
    bootVolume: bootVolumeIntent(labels, snapshot.options),
    ...zonesOf(labels),
    dockerVolume: dockerVolumeIntent(labels, cluster),
    etcdVolume: etcdVolumeIntent(labels),
    imageRepository: labels.read('container_infra_prefix'),
    proxy: proxyIntent(reading),
    addons: addonIntent(labels),
  });
}

function workers(reading: ClusterReading): ClusterIntent['workers'] {
  const groups = reading.snapshot.nodegroups.filter((group) => !isMaster(group) && !isDeleting(group));
  checkDuplicates(reading, groups);
  return groups.map((group) => nodegroupIntent(nodegroupReading(reading, group)));
}

function checkDuplicates({ faults }: ClusterReading, groups: readonly NodegroupSnapshot[]): void {
  const names = new Set<string>();
  for (const { name } of groups) {
    if (names.has(name)) faults.add(nameSubject(name), ': two nodegroups have this name');
    names.add(name);
  }
}
