/** An image as its project publishes it. */
export interface Image {
  /** With its registry, without a tag, e.g. `quay.io/calico/node`. */
  readonly repository: string;
  readonly tag: string;
  /** `sha256:…`, where the project itself pins it. */
  readonly digest?: string;
}

/** The image under another tag, as a label may ask for; the digest belongs to the tag that it came with. */
export function withTag({ repository }: Image, tag: string): Image {
  return { repository, tag };
}
