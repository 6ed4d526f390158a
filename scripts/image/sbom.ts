import { createHash } from 'node:crypto';
import packageJson from '../../package.json' with { type: 'json' };
import type { Architecture } from './architecture.ts';
import { timestamp } from './image-config.ts';
import type { BundledPackage } from './npm-packages.ts';
import type { DebianPackage, LockedParts } from './package-lock.ts';
import type { Revision } from './revision.ts';

/** CycloneDX 1.6, §component, as far as it is used. */
interface Component {
  readonly type: 'application' | 'library' | 'operating-system' | 'platform';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly hashes?: readonly { readonly alg: 'SHA-256' | 'SHA-512'; readonly content: string }[];
  readonly licenses?: readonly object[];
  readonly cpe?: string;
  readonly components?: readonly Component[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
}

/** What an image is made of. */
export interface ImageParts {
  readonly revision: Revision;
  readonly architecture: Architecture;
  readonly locked: LockedParts;
  readonly npmPackages: readonly BundledPackage[];
  /** process.versions of the image's Node. */
  readonly nodeVersions: Readonly<Record<string, string>>;
  /** Whether the base is a folder of the builder's, of which nothing is known. */
  readonly ownBase: boolean;
}

export const sbomMediaType = 'application/vnd.cyclonedx+json';

/** A property's name says whose it is (CycloneDX, property taxonomy). */
const bundleProperty = `${packageJson.name}:bundle`;

/** The bill of materials of an image as a CycloneDX document; the same parts give the same document. */
export function sbomOf(parts: ImageParts): object {
  const { revision, ownBase } = parts;
  const components = [...parts.npmPackages.map(npmComponent), nodeComponent(parts), ...debianComponents(parts)];
  const subject = applicationComponent(parts);
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { timestamp: timestamp(revision.time), lifecycles: [{ phase: 'build' }], component: subject },
    components,
    dependencies: [
      { ref: subject['bom-ref'], dependsOn: components.map((component) => component['bom-ref']) },
      ...components.map((component) => ({ ref: component['bom-ref'] })),
    ],
    compositions: [{ aggregate: ownBase ? 'incomplete' : 'complete', assemblies: [subject['bom-ref']] }],
  };
  return { ...document, serialNumber: `urn:uuid:${uuidOf(JSON.stringify(document))}` };
}

function applicationComponent({ revision: { commit }, architecture }: ImageParts): Component {
  const { name, version, license } = packageJson;
  const purl = `pkg:oci/${name}?arch=${architecture.name}&tag=${version}`;
  return {
    type: 'application',
    'bom-ref': purl,
    name,
    version,
    purl,
    licenses: [{ license: { id: license } }],
    ...(commit === undefined ? {} : { properties: [{ name: `${name}:revision`, value: commit }] }),
  };
}

function npmComponent({ name, version, integrity, license, bundles }: BundledPackage): Component {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`;
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    version,
    purl,
    hashes: [integrityHash(integrity)],
    licenses: [{ expression: license }],
    properties: bundles.map((value) => ({ name: bundleProperty, value })),
  };
}

/** Versions that name an interface, not something inside. */
const interfaces = new Set(['node', 'modules', 'napi']);

function nodeComponent({ locked: { node }, architecture, nodeVersions }: ImageParts): Component {
  const purl = `pkg:npm/${architecture.nodePackage}@${node.version}`;
  const inside = Object.entries(nodeVersions).filter(([name]) => !interfaces.has(name));
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'node',
    version: node.version,
    purl,
    cpe: `cpe:2.3:a:nodejs:node.js:${node.version}:*:*:*:*:*:*:*`,
    hashes: [{ alg: 'SHA-256', content: node.sha256 }, integrityHash(node.integrity)],
    licenses: [{ license: { id: 'MIT' } }],
    components: inside
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([name, version]) => partOfNode(name, version)),
  };
}

function partOfNode(name: string, version: string): Component {
  const purl = `pkg:generic/${name}@${encodeURIComponent(version)}`;
  return { type: 'library', 'bom-ref': `${purl}#node`, name, version, purl };
}

function debianComponents({
  locked: { distribution, packages },
  architecture,
  ownBase,
}: ImageParts): readonly Component[] {
  if (ownBase) return [];
  const qualifiers = `arch=${architecture.name}&distro=${distribution.id}-${distribution.version}`;
  const component = ({ name, version, sha256 }: DebianPackage): Component => {
    const purl = `pkg:deb/${distribution.id}/${encodeURIComponent(name)}@${encodeURIComponent(version)}?${qualifiers}`;
    return { type: 'library', 'bom-ref': purl, name, version, purl, hashes: [{ alg: 'SHA-256', content: sha256 }] };
  };
  return packages.map(component);
}

function integrityHash(integrity: string): { readonly alg: 'SHA-512'; readonly content: string } {
  return { alg: 'SHA-512', content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex') };
}

/** Made of a hash, as a version 8 UUID (RFC 9562). */
function uuidOf(text: string): string {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}
