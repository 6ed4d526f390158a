import type { AddonInput } from '../addon.ts';
import { type Container, type ContainerFacts, container, healthChecked } from '../csi/container.ts';
import { withTag } from '../images/image.ts';
import { cinderCsiImage } from './releases.ts';

/** What sets the driver of one component apart from that of the other. */
type DriverPart = Pick<ContainerFacts, 'args' | 'mounts' | 'securityContext'>;

/** The driver itself, as it stands in both components. */
export function driver({ intent, image }: AddonInput, { args, mounts, ...rest }: DriverPart): Container {
  return container({
    name: 'cinder-csi-plugin',
    image: image(withTag(cinderCsiImage, intent.addons.cinderCsi.pluginTag)),
    args: ['/bin/cinder-csi-plugin', '-v=2', '--endpoint=unix://csi/csi.sock', ...args],
    mounts: { '/csi': 'socket-dir', ...mounts },
    ...rest,
    ...healthChecked(9808, { initialDelaySeconds: 10, periodSeconds: 60 }),
  });
}
