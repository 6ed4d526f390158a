export const accounts = { controller: 'csi-nfs-controller-sa', node: 'csi-nfs-node-sa' } as const;
