import { Agent, request } from 'node:http';
import { type CarriedEvent, eventHeaders } from '../../shared/event/carried-event.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';

/** Milliseconds; longer than the 110 s after which a function answers. */
const timeout = 120_000;
/** Of one event. */
const attempts = 5;
/** Codes of a connection that was closed under a request. */
const closed: ReadonlySet<string> = new Set(['ECONNRESET', 'EPIPE']);
/** The answer to a request that did not come in time. */
const tooSlow = 408;

/** What one event cost its sender. */
export interface SentEvent {
  /** Milliseconds until the whole answer was there. */
  readonly latency: number;
  readonly status: number;
}

/** Sends many events as a broker does, over connections that stay open, at the least cost for the sender. */
export class EventLoad {
  readonly #agent = new Agent({ keepAlive: true });
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** @throws Error for an answer that is no success */
  async send(event: CarriedEvent): Promise<SentEvent> {
    const startedAt = performance.now();
    const status = await this.#sendAgain(event, attempts - 1);
    if (status < 200 || status > 299) throw new Error(`A function answered ${status} to an event.`);
    return { latency: performance.now() - startedAt, status };
  }

  /**
   * As a broker, which sends again what a connection swallowed: a function closes one that nobody uses for a while, or over which
   * a request comes too slowly, and a sender on a busy machine notices late.
   */
  async #sendAgain(event: CarriedEvent, left: number): Promise<number> {
    const status = await this.#post(event).catch((error: NodeJS.ErrnoException) => {
      if (left === 0 || !closed.has(error.code ?? '')) throw error;
      return tooSlow;
    });
    return status === tooSlow && left > 0 ? this.#sendAgain(event, left - 1) : status;
  }

  #post(event: CarriedEvent): Promise<number> {
    const headers = { ...eventHeaders(event), prefer: 'reply', 'kn-namespace': managementNamespace };
    return new Promise((resolve, reject) => {
      const outgoing = request(this.#url, { method: 'POST', agent: this.#agent, headers, timeout }, (response) => {
        response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      outgoing.once('timeout', () => outgoing.destroy(new Error(`No answer within ${timeout / 1000} s.`)));
      outgoing.once('error', reject).end(event.body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}
