/** Renewals come by the clock. */
const renewal = /^PATCH .*\/leases\//;

/** Which call of an operation it is that waits: counted among all of its kind, or from where the Lease is given back. */
export type Moment = 'the first read' | 'the first write' | 'a write in the middle' | 'the last write';

/** One call of a function that waits at the door of the API server until it is let on. */
export class HeldCall {
  readonly #moment: Moment;
  readonly #arrived = Promise.withResolvers<string>();
  readonly #released = Promise.withResolvers<void>();
  #writes = 0;
  #isHeld = false;
  #isHanging = false;

  constructor(moment: Moment) {
    this.#moment = moment;
  }

  /** The call that waits, once there is one. */
  get arrived(): Promise<string> {
    return this.#arrived.promise;
  }

  /** To be asked with each call; what it gives has to be waited for. */
  before(call: string): Promise<void> | undefined {
    if (this.#isHanging) return new Promise(() => undefined);
    if (this.#isHeld || renewal.test(call) || !this.#isMoment(call)) return undefined;
    this.#isHeld = true;
    this.#arrived.resolve(call);
    return this.#released.promise;
  }

  release(): void {
    this.#released.resolve();
  }

  /** From now on no call is answered any more. */
  hang(): void {
    this.#isHanging = true;
  }

  #isMoment(call: string): boolean {
    const isRead = call.startsWith('GET ');
    if (!isRead) this.#writes += 1;
    if (this.#moment === 'the first read') return isRead;
    if (isRead) return false;
    if (this.#moment === 'the first write') return this.#writes === 1;
    const isLast = call.startsWith('DELETE ') && call.includes('/leases/');
    return this.#moment === 'the last write' ? isLast : this.#writes === 2 && !isLast;
  }
}
