import { createHash } from 'node:crypto';

/** How the image-spec names content. */
export interface Descriptor {
  readonly mediaType: string;
  readonly digest: `sha256:${string}`;
  /** Bytes. */
  readonly size: number;
  readonly artifactType?: string;
  readonly platform?: { readonly architecture: string; readonly os: string };
  readonly annotations?: Readonly<Record<string, string>>;
}

export function digestOf(content: Uint8Array): `sha256:${string}` {
  return `sha256:${createHash('sha256').update(content).digest('hex')}`;
}

/** The content of an image layout by its digest. */
export class Blobs {
  readonly #contents = new Map<string, Uint8Array>();

  add(mediaType: string, content: Uint8Array): Descriptor {
    const digest = digestOf(content);
    this.#contents.set(digest, content);
    return { mediaType, digest, size: content.byteLength };
  }

  /** Adds a document as JSON. */
  addJson(mediaType: string, document: object): Descriptor {
    return this.add(mediaType, Buffer.from(JSON.stringify(document)));
  }

  /** Path in the layout and content of each, sorted by path. */
  files(): readonly (readonly [path: string, content: Uint8Array])[] {
    return [...this.#contents]
      .map(([digest, content]) => [`blobs/${digest.replace(':', '/')}`, content] as const)
      .toSorted(([one], [other]) => (one < other ? -1 : 1));
  }
}
