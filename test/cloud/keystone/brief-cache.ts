interface Remembered<T> {
  readonly answer: Promise<T>;
  readonly askedAt: number;
}

/** Remembers each answer for a while, so that the same question, asked many times at once, is asked once. */
export class BriefCache<T> {
  readonly #lifetimeMs: number;
  readonly #remembered = new Map<string, Remembered<T>>();

  constructor(lifetimeMs: number) {
    this.#lifetimeMs = lifetimeMs;
  }

  /** The answer to the question; a failure is not remembered. */
  get(question: string, ask: () => Promise<T>): Promise<T> {
    const now = performance.now();
    for (const [old, { askedAt }] of this.#remembered) {
      if (now - askedAt >= this.#lifetimeMs) this.#remembered.delete(old);
    }
    const known = this.#remembered.get(question);
    if (known !== undefined) return known.answer;
    const answer = ask();
    this.#remembered.set(question, { answer, askedAt: now });
    answer.catch(() => this.#remembered.delete(question));
    return answer;
  }
}
