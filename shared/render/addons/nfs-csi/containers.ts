import type { AddonInput } from '../addon.ts';
import { type Container, container, healthChecked, nodeName, privileged } from '../csi/container.ts';
import { sidecar } from '../csi/sidecar.ts';
import { nfsCsiImages } from './releases.ts';

export const socket = { volume: 'socket-dir', directory: '/csi', address: '/csi/csi.sock' };

export const podMounts = '/var/lib/kubelet/pods';

/** Both parts stand in the node's network, so each has a port of its own. */
interface Part {
  readonly healthPort: number;
  /** Limit of the driver's memory. */
  readonly memory: string;
}

export function resources(memory: string) {
  return { limits: { memory }, requests: { cpu: '10m', memory: '20Mi' } };
}

/** The driver, and the container that tells whether it is well. */
export function driverContainers({ image }: AddonInput, { healthPort, memory }: Part): readonly Container[] {
  return [
    sidecar(socket, {
      name: 'liveness-probe',
      image: image(nfsCsiImages.livenessProbe),
      args: ['--probe-timeout=3s', `--health-port=${healthPort}`],
      resources: resources('100Mi'),
    }),
    container({
      name: 'nfs',
      image: image(nfsCsiImages.driver),
      args: ['-v=5', '--nodeid=$(NODE_ID)', '--endpoint=unix:///csi/csi.sock'],
      variables: { NODE_ID: nodeName },
      mounts: { '/csi': 'socket-dir', [podMounts]: { name: 'pods-mount-dir', mountPropagation: 'Bidirectional' } },
      resources: resources(memory),
      securityContext: privileged,
      ...healthChecked(healthPort, { initialDelaySeconds: 30, periodSeconds: 30 }),
    }),
  ];
}
