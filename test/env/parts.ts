/** The releases that the control plane is built from; another release has another cache folder. */
export const releases = { kubernetes: '1.35.4', etcd: '3.6.13', clusterApi: '1.13.6' } as const;

/** Cluster API's managers: core with topology and ClusterResourceSet, kubeadm bootstrap, kubeadm control plane. */
export const managerNames = ['capi-core', 'cabpk', 'kcp'] as const;
export type ManagerName = (typeof managerNames)[number];

/** Every process of the control plane; each is a binary of the same name. */
export const partNames = ['etcd', 'kube-apiserver', 'kube-controller-manager', ...managerNames] as const;
export type PartName = (typeof partNames)[number];

/** What the control plane needs: its binaries, and `cluster-api/` with the CRDs and webhook manifests. */
export const controlPlaneAssets = [...partNames, 'cluster-api'] as const;

/** Releases of the oldest and the newest minor that the driver supports (`supportedMinors`); each kubeadm is of its own. */
export const kubeadmVersions = ['1.30.14', '1.36.3'] as const;
export type KubeadmName = `kubeadm-${(typeof kubeadmVersions)[number]}`;

const kubeadmNames = kubeadmVersions.map((version): KubeadmName => `kubeadm-${version}`);

/**
 * What an asset folder holds: also kubeadm, which looks at what machines are told, and the kubelet of the simulated machines, the one program
 * whose source is the project's own.
 */
export const assetNames = [...controlPlaneAssets, ...kubeadmNames, 'workload-kubelet'] as const;
export type AssetName = (typeof assetNames)[number];
