export type Component = 'controllerplugin' | 'nodeplugin';

/** Name of the driver, in its CSIDriver, its classes and its volumes. */
export const driverName = 'nfs.manila.csi.openstack.org';

/** As the chart's release names the objects of a component. */
export function componentName(component: Component): string {
  return `manila-csi-openstack-manila-csi-${component}`;
}

/** What the selectors of the chart's release hold, which cannot change. */
export function selector(component: Component) {
  return { component, app: 'openstack-manila-csi', release: 'manila-csi' };
}
