import type { AddonInput } from '../addon.ts';
import { nodeDirectory } from '../csi/container.ts';
import { controlPlaneTolerations } from '../csi/control-plane-tolerations.ts';
import { sidecar } from '../csi/sidecar.ts';
import { addonNamespace, deployment, type Manifest, podsOf } from '../manifest.ts';
import { accounts } from './accounts.ts';
import { driverContainers, podMounts, resources, socket } from './containers.ts';
import { nfsCsiImages } from './releases.ts';

const name = 'csi-nfs-controller';

/** Makes and deletes directories of exports. */
export function nfsController(input: AddonInput): Manifest {
  const labels = { app: name };
  const provisioner = sidecar(socket, {
    name: 'csi-provisioner',
    image: input.image(nfsCsiImages.provisioner),
    args: ['--leader-election', `--leader-election-namespace=${addonNamespace}`, '--extra-create-metadata=true'],
    resources: resources('400Mi'),
  });
  return deployment(
    { name },
    {
      replicas: 1,
      ...podsOf(labels, {
        serviceAccountName: accounts.controller,
        hostNetwork: true,
        dnsPolicy: 'Default',
        nodeSelector: { 'kubernetes.io/os': 'linux' },
        priorityClassName: 'system-cluster-critical',
        containers: [provisioner, ...driverContainers(input, { healthPort: 29652, memory: '200Mi' })],
        volumes: [nodeDirectory('pods-mount-dir', podMounts), { name: 'socket-dir', emptyDir: {} }],
        tolerations: controlPlaneTolerations,
      }),
    },
  );
}
