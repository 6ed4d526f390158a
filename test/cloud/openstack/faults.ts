/** What is known of a request when a fault is chosen for it. */
export interface FaultTarget {
  /** Service type, as `compute`. */
  readonly service: string;
  readonly method: string;
  /** Path with the service's prefix, without query, as `/compute/v2.1/flavors/detail`. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** As it came in, not parsed. */
  readonly body: string;
  /** Of who asks; undefined where none was sent. */
  readonly token: string | undefined;
}

/** Makes requests fail as real services do. Every condition that is given must hold. */
export interface Fault {
  readonly service?: string;
  readonly method?: string;
  /** The end of the path, or a pattern of all of it. */
  readonly path?: string | RegExp;
  readonly when?: (request: FaultTarget) => boolean;
  /** How many requests it hits. @default 1 */
  readonly times?: number;
  /** Done, and waited for, before the request is carried out: what happens in the cloud between two requests. */
  readonly before?: () => Promise<unknown>;
  /** Answers with this status instead of the service, in the service's own envelope. */
  readonly status?: number;
  /** @default what the service says of that status */
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A body as it is, as a proxy's HTML page. */
  readonly rawBody?: string;
  /** Waits before anything else, in ms. */
  readonly delayMs?: number;
  /** Cuts the connection: before the service does anything, after it did everything, or within its answer. */
  readonly cut?: 'before' | 'after' | 'within';
}

/** The faults that wait for requests, the oldest first. */
export class Faults {
  #waiting: { readonly fault: Fault; left: number }[] = [];

  inject(fault: Fault): void {
    this.#waiting.push({ fault, left: fault.times ?? 1 });
  }

  clear(): void {
    this.#waiting = [];
  }

  /** The fault for a request, counted as used. */
  take(request: FaultTarget): Fault | undefined {
    const waiting = this.#waiting.find(({ fault, left }) => left > 0 && hits(fault, request));
    if (waiting !== undefined) waiting.left -= 1;
    return waiting?.fault;
  }
}

function hits(fault: Fault, request: FaultTarget): boolean {
  if (fault.service !== undefined && fault.service !== request.service) return false;
  if (fault.method !== undefined && fault.method !== request.method) return false;
  return hitsPath(fault.path, request.path) && (fault.when?.(request) ?? true);
}

function hitsPath(wanted: string | RegExp | undefined, path: string): boolean {
  if (wanted === undefined) return true;
  return typeof wanted === 'string' ? path.endsWith(wanted) : wanted.test(path);
}
