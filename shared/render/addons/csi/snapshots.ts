import { storageLabels } from '../../../magnum/labels/storage.ts';
import type { AddonInput } from '../addon.ts';
import { type Image, withTag } from '../images/image.ts';
import { deployment, type Manifest, role, roleBinding, serviceAccount } from '../manifest.ts';
import { container } from './container.ts';
import { controlPlaneTolerations } from './control-plane-tolerations.ts';
import { boundRole, eventVerbs, type Grants, leaseVerbs, read, rules } from './rules.ts';
import { snapshotDefinitions, snapshotGroup } from './snapshot-definitions.ts';

/** It and the sidecar are released together, so they have the same tag. */
export const snapshotControllerImage: Image = {
  repository: 'registry.k8s.io/sig-storage/snapshot-controller',
  tag: storageLabels.csi_snapshotter_tag.default,
};

/** Not upstream's: one of that name, which a cluster may have, is left as it is, and shares the Lease that lets one work. */
const name = 'magnum-snapshot-controller';

const everything = `create ${read} update delete patch`;

const grants: Grants = {
  persistentvolumes: read,
  persistentvolumeclaims: `${read} update`,
  events: eventVerbs,
  [`${snapshotGroup} volumesnapshotclasses`]: read,
  [`${snapshotGroup} volumesnapshotcontents`]: everything,
  [`${snapshotGroup} volumesnapshotcontents/status`]: 'patch',
  [`${snapshotGroup} volumesnapshots`]: `${read} update patch delete`,
  [`${snapshotGroup} volumesnapshots/status`]: 'update patch',
};

/** What snapshots need beside a driver that can take them. */
export function snapshots(input: AddonInput): readonly Manifest[] {
  return [
    ...snapshotDefinitions(),
    serviceAccount({ name }),
    ...boundRole({ role: name, binding: name, serviceAccount: name, grants }),
    role({ name }, rules({ 'coordination.k8s.io leases': leaseVerbs })),
    roleBinding({ name }, { role: name, serviceAccount: name }),
    snapshotController(input),
  ];
}

function snapshotController({ intent, image }: AddonInput): Manifest {
  const labels = { 'app.kubernetes.io/name': name };
  const controller = container({
    name,
    image: image(withTag(snapshotControllerImage, intent.addons.csiSidecarTags.snapshotter)),
    args: ['--v=5', '--leader-election=true'],
    mounts: {},
  });
  return deployment(
    { name, labels },
    {
      replicas: 1,
      selector: { matchLabels: labels },
      // It leaves after 30 s without the CRDs, and is no use before.
      minReadySeconds: 35,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      template: {
        metadata: { labels },
        spec: { serviceAccountName: name, containers: [controller], tolerations: controlPlaneTolerations },
      },
    },
  );
}

interface SnapshotClassFacts {
  readonly driver: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/**
 * A class whose snapshots go with their VolumeSnapshots. It is no default: where a driver has two, a snapshot that names no
 * class fails, and a cluster may have one already.
 */
export function snapshotClass(
  className: string,
  facts: SnapshotClassFacts,
): Manifest & SnapshotClassFacts & { readonly deletionPolicy: 'Delete' } {
  return {
    apiVersion: `${snapshotGroup}/v1`,
    kind: 'VolumeSnapshotClass',
    metadata: { name: className },
    ...facts,
    deletionPolicy: 'Delete',
  };
}
