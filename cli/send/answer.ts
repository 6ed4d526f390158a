import * as z from 'zod';
import { type CarriedEvent, eventData, readCarriedEvent } from '../../shared/event/carried-event.ts';
import type { PostAnswer } from '../../shared/event/post-event.ts';
import { readHeaders } from '../../shared/host/http-headers.ts';

/** What a function said. */
export type FunctionAnswer =
  | { readonly kind: 'reply'; readonly attributes: CarriedEvent['attributes']; readonly data: unknown }
  /** Done, with nothing to say. */
  | { readonly kind: 'nothing' }
  | {
      readonly kind: 'refused';
      readonly status: number;
      readonly code: string | null;
      readonly message: string;
      /** Seconds until it makes sense to send it again; null = never. */
      readonly retryAfter: number | null;
    };

/** Beside a function, a proxy in front of it may have answered. */
const problem = z.object({ code: z.string(), message: z.string() });

/** @throws InvalidEventError where a function answers with what is no event */
export function readAnswer({ status, rawHeaders, body }: PostAnswer): FunctionAnswer {
  if (status === 204 || (status === 202 && body.byteLength === 0)) return { kind: 'nothing' };
  if (status >= 200 && status <= 299) {
    const event = readCarriedEvent({ rawHeaders, body });
    return { kind: 'reply', attributes: event.attributes, data: eventData(event) };
  }
  const retryAfter = Number(readHeaders(rawHeaders).get('retry-after') ?? Number.NaN);
  const told = problem.safeParse(asJson(body)).data;
  return {
    kind: 'refused',
    status,
    code: told?.code ?? null,
    message: told?.message ?? `What answers there is no function of this driver, or it is not ready (${status}).`,
    retryAfter: Number.isFinite(retryAfter) ? retryAfter : null,
  };
}

function asJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}
