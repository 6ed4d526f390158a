/** Name of the driver, in its CSIDriver, its classes and its volumes. */
export const driverName = 'cinder.csi.openstack.org';

export const accounts = { controller: 'csi-cinder-controller-sa', node: 'csi-cinder-node-sa' } as const;

/** What the selectors of the chart's release hold, which cannot change. */
export function selector(component: 'controllerplugin' | 'nodeplugin') {
  return { component, app: 'openstack-cinder-csi', release: 'cinder-csi' };
}

/** The Secret by which the driver reaches the cloud; it reads the file at one path and `ca-file` in it names the other. */
export const cloudConfig = {
  volume: { name: 'cloud-config', secret: { secretName: 'cloud-config' } },
  mounts: {
    '/etc/kubernetes': { name: 'cloud-config', readOnly: true },
    '/etc/config': { name: 'cloud-config', readOnly: true },
  },
  argument: '--cloud-config=/etc/kubernetes/cloud.conf',
} as const;
