import type { AddonRelease } from '../addon.ts';
import { type Image, withTag } from '../images/image.ts';
import { lineOf, linesOf } from '../release-lines.ts';

/** The images of a release. Cilium's own have the release's tag; the others have tags of their own projects. */
interface CiliumImages {
  readonly agent: Image;
  readonly operator: Image;
  readonly hubbleRelay: Image;
  readonly certgen: Image;
  readonly hubbleUi: Image;
  readonly hubbleUiBackend: Image;
  /** Absent where Envoy runs inside the agent. */
  readonly envoy?: Image;
}

/** The patch release of a line whose chart the facts are from. */
interface LineFacts {
  readonly version: string;
  readonly images: CiliumImages;
}

const facts = {
  'v1.15': {
    version: 'v1.15.3',
    images: {
      agent: image('cilium:v1.15.3', 'da74ab61d1bc665c1c088dff41d5be388d252ca5800f30c7d88844e6b5e440b0'),
      operator: image('operator-generic:v1.15.3', 'c97f23161906b82f5c81a2d825b0646a5aa1dfb4adf1d49cbb87815079e69d61'),
      hubbleRelay: image('hubble-relay:v1.15.3', 'b9c6431aa4f22242a5d0d750c621d9d04bdc25549e4fb1116bfec98dd87958a2'),
      certgen: image('certgen:v0.1.9', '89a0847753686444daabde9474b48340993bd19c7bea66a46e45b2974b82041f'),
      hubbleUi: image('hubble-ui:v0.13.0', '7d663dc16538dd6e29061abd1047013a645e6e69c115e008bee9ea9fef9a6666'),
      hubbleUiBackend: image(
        'hubble-ui-backend:v0.13.0',
        '1e7657d997c5a48253bb8dc91ecee75b63018d16ff5e5797e5af367336bc8803',
      ),
    },
  },
  'v1.20': {
    version: 'v1.20.0',
    images: {
      agent: image('cilium:v1.20.0', '383968cd5e8873f7976fa76aa6196045643558f4cc9518a207b9335cb24a0e93'),
      operator: image('operator-generic:v1.20.0', '80744a8cc7c91c2f9e6347629406844eb35d79b30a732c6d41c15b17232a74f3'),
      hubbleRelay: image('hubble-relay:v1.20.0', '2ca16981c7eb98df0ba9c9d18896bb9ca628b5cbd40dc9801339f4741f91ee94'),
      certgen: image('certgen:v0.4.8', 'e65f1d15a0ffaf2df32797c8ad1c797fc64dad11c274cd96a2eafa89d712cdc3'),
      hubbleUi: image('hubble-ui:v0.13.5', 'f7d514fc54d784ed6df9d58cf0e97648b143f92b766dd1780ed3fc845bd4c516'),
      hubbleUiBackend: image(
        'hubble-ui-backend:v0.13.5',
        'fac0c300ae119274edca11fd89b1ad23c788792d8bc4ea2ba631c709e8d3c688',
      ),
      envoy: image(
        'cilium-envoy:v1.37.5-1782911245-7cffc778c923f68a77954a53b1a98d6b5353f004',
        '583057dd4f7d54cd41efff3c413aa0b148ac201f522e2c3336851fa89c78b039',
      ),
    },
  },
} as const satisfies Readonly<Record<string, LineFacts>>;

export type CiliumLine = keyof typeof facts;

const ciliumLines = linesOf(facts);

/** @throws RangeError for a tag of no supported line, which the label's syntax refuses. */
export function ciliumLine(tag: string): CiliumLine {
  return lineOf('Cilium', ciliumLines, tag);
}

/**
 * The images of the release with a tag. Only those that carry Cilium's own tag follow it; under another tag than the
 * chart's they have no digest.
 */
export function ciliumImages(tag: string): CiliumImages {
  const { version, images }: LineFacts = facts[ciliumLine(tag)];
  if (tag === version) return images;
  const { agent, operator, hubbleRelay } = images;
  return {
    ...images,
    agent: withTag(agent, tag),
    operator: withTag(operator, tag),
    hubbleRelay: withTag(hubbleRelay, tag),
  };
}

function image(nameAndTag: string, sha256: string): Image {
  const [name, tag = ''] = nameAndTag.split(':');
  return { repository: `quay.io/cilium/${name}`, tag, digest: `sha256:${sha256}` };
}

export const ciliumReleases: readonly AddonRelease[] = ciliumLines.map((line) => ({
  addon: 'cilium',
  version: facts[line].version,
  usedFor: `cilium_tag ${line}.x`,
  source: `cilium/charts cilium-${facts[line].version.slice(1)}.tgz`,
  images: Object.values(facts[line].images),
}));
