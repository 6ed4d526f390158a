import type { Span } from './span.ts';

/** Ended spans that wait for their export. Bounded: what comes when it is full is dropped and counted. */
export class SpanBuffer {
  readonly #limit: number;
  readonly #onDropped: (count: number) => void;
  #spans: Span[] = [];

  /** @param limit spans that are kept at most */
  constructor(limit: number, onDropped: (count: number) => void) {
    this.#limit = limit;
    this.#onDropped = onDropped;
  }

  get size(): number {
    return this.#spans.length;
  }

  add(spans: readonly Span[]): void {
    const room = this.#limit - this.#spans.length;
    this.#spans.push(...spans.slice(0, room));
    if (spans.length > room) this.#onDropped(spans.length - room);
  }

  /** Takes the oldest out of it. */
  take(most: number): readonly Span[] {
    return this.#spans.splice(0, most);
  }
}
