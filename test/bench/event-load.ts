import { Agent, request } from 'node:http';
import { type CarriedEvent, eventHeaders } from '../../shared/event/carried-event.ts';
import { managementNamespace } from '../../shared/render/metadata.ts';

/** Milliseconds; longer than the 110 s after which a function answers. */
const timeout = 120_000;

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
    const status = await new Promise<number>((resolve, reject) => {
      const headers = { ...eventHeaders(event), prefer: 'reply', 'kn-namespace': managementNamespace };
      const outgoing = request(this.#url, { method: 'POST', agent: this.#agent, headers, timeout }, (response) => {
        response.on('error', reject).on('end', () => resolve(response.statusCode ?? 0));
        response.resume();
      });
      outgoing.once('timeout', () => outgoing.destroy(new Error(`No answer within ${timeout / 1000} s.`)));
      outgoing.once('error', reject).end(event.body);
    });
    if (status < 200 || status > 299) throw new Error(`A function answered ${status} to an event.`);
    return { latency: performance.now() - startedAt, status };
  }

  close(): void {
    this.#agent.destroy();
  }
}
