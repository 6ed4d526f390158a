/** Why there is no image, in a sentence that says what to do. */
export class ImageError extends Error {
  override readonly name = 'ImageError';
}
