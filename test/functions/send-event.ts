import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';

export interface EventAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Type of the reply event; '' where there is none. */
  readonly type: string;
  /** The parsed body; undefined where it is empty. */
  readonly data: unknown;
}

/** Sends one event in CloudEvents' JSON format, in structured mode, and waits for the answer, whatever it is. */
export async function sendEvent(url: string, event: object, token?: string): Promise<EventAnswer> {
  const outgoing = request(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/cloudevents+json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  const answered = new Promise<EventAnswer>((resolve, reject) => {
    outgoing.on('error', reject).on('response', (response) => {
      text(response).then((body) => {
        const { statusCode: status = 0, headers } = response;
        const type = headers['ce-type'];
        resolve({
          status,
          headers,
          type: typeof type === 'string' ? type : '',
          data: body === '' ? undefined : JSON.parse(body),
        });
      }, reject);
    });
  });
  outgoing.end(JSON.stringify(event));
  return answered;
}

/** Milliseconds between attempts; a real sender waits as long as Retry-After says. */
const pause = 200;
/** Longer than a crashed function's Lease lasts. */
const attempts = 300;

/** Sends an event as Magnum's conductor does: what is answered with 429 or 503 is sent again. */
export async function sendUntilAnswered(url: string, event: object, token?: string): Promise<EventAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    const answer = await sendEvent(url, event, token);
    if ((answer.status !== 429 && answer.status !== 503) || attempt === attempts) return answer;
    await sleep(pause);
  }
}

const accepted = z.object({ stack_id: z.string() });

/** The stack id of an accepted operation. @throws Error that shows any other answer */
export function acceptedStackId(answer: EventAnswer): string {
  const parsed = accepted.safeParse(answer.data);
  if (answer.status === 200 && answer.type.endsWith('.operation.accepted.v1') && parsed.success)
    return parsed.data.stack_id;
  throw new Error(`The operation was not accepted: ${answer.status} ${answer.type} ${JSON.stringify(answer.data)}`);
}
