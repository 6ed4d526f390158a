import { letterName } from '../../shared/dead-letters/dead-letter.ts';
import type { EventFunction } from '../../shared/host/event-function.ts';
import type { KubernetesClient } from '../../shared/kubernetes/client.ts';
import { LetterBox, type LetterBoxLimits } from './letter-box.ts';
import { letterOfEvent } from './letter-of-event.ts';

export interface DeadLettersFunctionOptions {
  readonly kubernetes: KubernetesClient;
  /** @default 500 letters, counted every 25 */
  readonly limits?: LetterBoxLimits | undefined;
}

/** Of 64 KiB at most each: 32 MiB in etcd. */
const defaultLimits: LetterBoxLimits = { letters: 500, between: 25 };

/** The dead-letters function: it keeps each event that a broker gives up, until somebody has looked at it. */
export function deadLettersFunction({ kubernetes, limits = defaultLimits }: DeadLettersFunctionOptions): EventFunction {
  const box = new LetterBox(limits);
  return {
    name: 'dead-letters',
    accepts: {},
    acceptsAnyFromBroker: true,
    async handle({ calls, log, now, signal }, event) {
      const letter = letterOfEvent(event, now());
      await box.keep(letter, { kubernetes: kubernetes.observedBy(() => calls.count('kubernetes')), signal });
      const { destination, code } = letter;
      const fields = { letter: letterName(letter), event_type: event.type, destination, code };
      log.warn(fields, 'an event could not be delivered');
      return undefined;
    },
  };
}
