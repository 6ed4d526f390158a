/** Something in the cloud that a clean-up could not remove. */
export interface Leftover {
  /** One sentence that names it and says why. */
  readonly told: string;
  /** Nothing but an operator can change it; else the same call may succeed later. */
  readonly isFinal: boolean;
}
