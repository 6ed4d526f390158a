import type { V1StatefulSet } from '@kubernetes/client-node';
import type { Wire } from '../../../kubernetes/kubernetes-object.ts';
import type { CsiSidecarTags } from '../../../magnum/cluster-intent.ts';
import type { AddonInput } from '../addon.ts';
import { nodeDirectory } from '../csi/container.ts';
import { controlPlaneTolerations } from '../csi/control-plane-tolerations.ts';
import { sidecar, sidecarReference } from '../csi/sidecar.ts';
import { addonNamespace, type Manifest, podsOf, service } from '../manifest.ts';
import { driver, forwardingVolume, pluginDirectory, volumes } from './driver.ts';
import { componentName, selector } from './identity.ts';

const socketFile = 'csi-controllerplugin.sock';
const socket = {
  volume: 'nfs-plugin-dir',
  directory: pluginDirectory,
  address: `unix://${pluginDirectory}/${socketFile}`,
};

const sidecars: readonly (readonly [string, keyof CsiSidecarTags, readonly string[]])[] = [
  ['nfs-provisioner', 'provisioner', []],
  ['nfs-snapshotter', 'snapshotter', []],
  ['nfs-resizer', 'resizer', ['--handle-volume-inuse-error=false']],
];

const podMounts = '/var/lib/kubelet/pods';

/** Makes, grows and deletes shares; the Service is what a StatefulSet has to name. */
export function manilaController(input: AddonInput): readonly Manifest[] {
  const name = componentName('controllerplugin');
  const labels = selector('controllerplugin');
  const beside = sidecars.map(([container, kind, args]) =>
    sidecar(socket, { name: container, image: sidecarReference(input, kind), args }),
  );
  const mounts = { [podMounts]: { name: 'pod-mounts', mountPropagation: 'Bidirectional' } };
  const spec: Wire<V1StatefulSet>['spec'] = {
    serviceName: name,
    replicas: 1,
    ...podsOf(labels, {
      serviceAccountName: name,
      containers: [...beside, driver(input, { socketFile, mounts })],
      volumes: [...volumes, forwardingVolume('Directory'), nodeDirectory('pod-mounts', podMounts)],
      tolerations: controlPlaneTolerations,
    }),
  };
  const statefulSet: Manifest & Wire<V1StatefulSet> = {
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name, namespace: addonNamespace, labels },
    spec,
  };
  return [service({ name, labels }, { selector: labels, ports: [{ name: 'dummy', port: 12345 }] }), statefulSet];
}
