import type { Architecture } from './architecture.ts';
import { Blobs, type Descriptor, digestOf } from './blobs.ts';
import { imageLabels, imageName, imageVersion, runtimeConfig, timestamp } from './image-config.ts';
import type { Revision } from './revision.ts';
import { sbomMediaType } from './sbom.ts';

/** Media types of the image-spec. */
const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar+gzip',
  empty: 'application/vnd.oci.empty.v1+json',
} as const;

/** One layer, and its purpose for the history. */
export interface Layer {
  readonly purpose: string;
  /** The tar archive. */
  readonly content: Buffer;
  /** By gzip. */
  readonly compressed: Buffer;
}

export interface LayoutOptions {
  readonly revision: Revision;
  readonly architecture: Architecture;
  /** Lowest first. */
  readonly layers: readonly Layer[];
  readonly sbom: Buffer;
}

/** An image layout (image-spec 1.1), all of it in memory. */
export interface ImageLayout {
  readonly image: Descriptor;
  readonly sbom: Descriptor;
  /** By path. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The same for `docker load` and whatever else takes one image out of a tar archive. */
  readonly archiveFiles: ReadonlyMap<string, Uint8Array>;
}

/** An image and its bill of materials, which refers to it. */
export function imageLayout(options: LayoutOptions): ImageLayout {
  const { revision, architecture, layers } = options;
  const blobs = new Blobs();
  const config = blobs.addJson(mediaTypes.config, configOf(options));
  const annotations = imageLabels(revision);
  const descriptors = layers.map(({ compressed }) => blobs.add(mediaTypes.layer, compressed));
  const manifest = { schemaVersion: 2, mediaType: mediaTypes.manifest, config, layers: descriptors, annotations };
  const image = blobs.addJson(mediaTypes.manifest, manifest);
  const sbom = addSbom(blobs, image, options);
  const named = {
    ...image,
    platform: { architecture: architecture.name, os: 'linux' },
    annotations: { 'org.opencontainers.image.ref.name': imageVersion },
  };
  const layout = { 'oci-layout': json({ imageLayoutVersion: '1.0.0' }) };
  const saved = [
    {
      Config: pathOf(config),
      RepoTags: [`${imageName}:${imageVersion}`],
      Layers: descriptors.map(pathOf),
    },
  ];
  const index = (manifests: readonly Descriptor[]) =>
    json({ schemaVersion: 2, mediaType: mediaTypes.index, manifests });
  const files = (more: Readonly<Record<string, Buffer>>) =>
    new Map([...Object.entries({ ...layout, ...more }), ...blobs.files()]);
  return {
    image: named,
    sbom,
    files: files({ 'index.json': index([named, sbom]) }),
    // With two entries, what takes an archive would have to be told which one is meant.
    archiveFiles: files({ 'index.json': index([named]), 'manifest.json': json(saved) }),
  };
}

function configOf({ revision, architecture, layers }: LayoutOptions): object {
  const created = timestamp(revision.time);
  return {
    created,
    architecture: architecture.name,
    os: 'linux',
    config: { ...runtimeConfig, Labels: imageLabels(revision) },
    rootfs: { type: 'layers', diff_ids: layers.map(({ content }) => digestOf(content)) },
    history: layers.map(({ purpose }) => ({ created, created_by: 'npm run image', comment: purpose })),
  };
}

/** An artifact (image-spec, manifest.md, guidelines for artifact usage) whose subject is the image. */
function addSbom(blobs: Blobs, { mediaType, digest, size }: Descriptor, { revision, sbom }: LayoutOptions): Descriptor {
  const annotations = { 'org.opencontainers.image.created': timestamp(revision.time) };
  const title = { 'org.opencontainers.image.title': 'sbom.cdx.json' };
  const descriptor = blobs.addJson(mediaTypes.manifest, {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    artifactType: sbomMediaType,
    config: blobs.addJson(mediaTypes.empty, {}),
    layers: [{ ...blobs.add(sbomMediaType, sbom), annotations: title }],
    subject: { mediaType, digest, size },
    annotations,
  });
  return { ...descriptor, artifactType: sbomMediaType, annotations };
}

function pathOf({ digest }: Descriptor): string {
  return `blobs/${digest.replace(':', '/')}`;
}

function json(document: object): Buffer {
  return Buffer.from(JSON.stringify(document));
}
