import type { AddonRelease } from '../addon.ts';
import { type Image, withTag } from '../images/image.ts';
import { lineOf, linesOf } from '../release-lines.ts';

/** What sets one release line of Calico apart, beside its roles and definitions. */
interface LineFacts {
  /** The patch release whose manifest the facts are from. */
  readonly version: string;
  /** Version of the CNI specification that the nodes' network configuration keeps. */
  readonly cniVersion: string;
  /** Whether calico-node looks at the kernel's lockdown state, in `/sys/kernel/security`. */
  readonly readsKernelLockdown: boolean;
}

/** `manifests/calico.yaml` of the newest patch release of each line, or of the default one. */
const facts = {
  'v3.31': { version: 'v3.31.7', cniVersion: '1.0.0', readsKernelLockdown: true },
  'v3.32': { version: 'v3.32.1', cniVersion: '0.3.1', readsKernelLockdown: false },
} as const satisfies Readonly<Record<string, LineFacts>>;

export type CalicoLine = keyof typeof facts;

export const calicoLines = linesOf(facts);

export const lineFacts: Readonly<Record<CalicoLine, LineFacts>> = facts;

/** @throws RangeError for a tag of no supported line, which the label's syntax refuses. */
export function calicoLine(tag: string): CalicoLine {
  return lineOf('Calico', calicoLines, tag);
}

/** All images of a release have its tag. */
export const calicoImages = {
  node: calicoImage('node'),
  cni: calicoImage('cni'),
  kubeControllers: calicoImage('kube-controllers'),
} as const satisfies Readonly<Record<string, Image>>;

function calicoImage(name: string): Image {
  return { repository: `quay.io/calico/${name}`, tag: facts['v3.32'].version };
}

export const calicoReleases: readonly AddonRelease[] = calicoLines.map((line) => ({
  addon: 'calico',
  version: facts[line].version,
  usedFor: `calico_tag ${line}.x`,
  source: 'projectcalico/calico manifests/calico.yaml',
  images: Object.values(calicoImages).map((image) => withTag(image, facts[line].version)),
}));
