import type { CsiSidecarTags } from '../../../magnum/cluster-intent.ts';
import type { AddonInput } from '../addon.ts';
import type { Container } from '../csi/container.ts';
import { controlPlaneTolerations } from '../csi/control-plane-tolerations.ts';
import { sidecar, sidecarReference } from '../csi/sidecar.ts';
import { configMap, deployment, type Manifest, podsOf } from '../manifest.ts';
import { driver } from './driver.ts';
import { accounts, cloudConfig, selector } from './identity.ts';

const directory = '/var/lib/csi/sockets/pluginproxy';
const socket = { volume: 'socket-dir', directory, address: `${directory}/csi.sock` };

const timeout = '--timeout=3m';
const leaderElection = '--leader-election=true';
const fileSystem = '--default-fstype=ext4';

const sidecars: readonly (readonly [string, keyof CsiSidecarTags, readonly string[]])[] = [
  ['csi-attacher', 'attacher', [timeout, leaderElection, fileSystem]],
  [
    'csi-provisioner',
    'provisioner',
    [timeout, leaderElection, fileSystem, '--feature-gates=Topology=true', '--extra-create-metadata'],
  ],
  ['csi-snapshotter', 'snapshotter', [timeout, leaderElection]],
  ['csi-resizer', 'resizer', [timeout, '--handle-volume-inuse-error=false', leaderElection]],
  ['liveness-probe', 'livenessProbe', []],
];

/**
 * Where the volumes have zones of their own: the driver would bind them to nodes of the same name, of which there are none.
 * What this file says is added to cloud.conf (upstream's `using-cinder-csi-plugin.md`).
 */
const zoneFile = { name: 'cinder-csi-zones', directory: '/etc/cinder-csi', file: 'zones.conf' } as const;

/** Makes, attaches, grows and deletes volumes. */
export function cinderController(input: AddonInput): readonly Manifest[] {
  const hasOwnZone = input.intent.addons.cinderCsi.availabilityZone !== null;
  const zoneVolumes = hasOwnZone ? [{ name: 'zones', configMap: { name: zoneFile.name } }] : [];
  const beside = sidecars.map(([name, kind, args]) =>
    sidecar(socket, { name, image: sidecarReference(input, kind), args }),
  );
  const zones = configMap({ name: zoneFile.name }, { [zoneFile.file]: '[BlockStorage]\nignore-volume-az=true\n' });
  const labels = selector('controllerplugin');
  const controller = deployment(
    { name: 'openstack-cinder-csi-controllerplugin', labels },
    {
      replicas: 1,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      ...podsOf(labels, {
        serviceAccountName: accounts.controller,
        containers: [...beside, controllerDriver(input, hasOwnZone)],
        volumes: [{ name: 'socket-dir', emptyDir: {} }, cloudConfig.volume, ...zoneVolumes],
        tolerations: controlPlaneTolerations,
      }),
    },
  );
  return hasOwnZone ? [zones, controller] : [controller];
}

function controllerDriver(input: AddonInput, hasOwnZone: boolean): Container {
  return driver(input, {
    args: [
      cloudConfig.argument,
      ...(hasOwnZone ? [`--cloud-config=${zoneFile.directory}/${zoneFile.file}`] : []),
      `--cluster=${input.intent.uuid}`,
      '--provide-node-service=false',
    ],
    mounts: {
      ...cloudConfig.mounts,
      ...(hasOwnZone ? { [zoneFile.directory]: { name: 'zones', readOnly: true } } : {}),
    },
  });
}
