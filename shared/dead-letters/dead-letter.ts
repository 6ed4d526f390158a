import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { resources } from '../kubernetes/resources.ts';
import { managedByLabel, managementNamespace as namespace } from '../render/metadata.ts';

/** An event that a broker could not deliver, as it is kept: without secrets, and of a bounded size. */
export interface DeadLetter {
  /** In CloudEvents' JSON format, without what the broker added. */
  readonly event: LetterEvent;
  /** Whether `event` is the whole event. What was too large, or looked like a secret, is not in it: it cannot be sent again. */
  readonly isWhole: boolean;
  /** Whom it could not be delivered to: scheme, host and port; '' where the broker does not say. */
  readonly destination: string;
  /** HTTP status of the last attempt; '' where the broker does not say. */
  readonly code: string;
  /** What the destination said, or what went wrong instead, as readable text. */
  readonly reason: string;
  readonly received: Date;
}

const text = z.string().default('');

/** The attributes that are always there, any extension, and data. */
const letterEvent = z.looseObject({ id: text, source: text, type: text, subject: text, time: text });
export type LetterEvent = z.infer<typeof letterEvent>;

/** A dead letter in the management cluster. */
export interface KeptLetter extends DeadLetter {
  readonly name: string;
  readonly uid: string;
  /** Changes when the same event has died again. */
  readonly resourceVersion: string;
}

const letterLabel = 'magnum.openstack.org/dead-letter';

/** Selects the ConfigMaps that are dead letters. */
export const letterSelector = `${letterLabel}=true`;

type ConfigMap = NonNullable<(typeof resources)['configMap']['shape']>;

/** Hexadecimal digits: enough for some hundred letters never to share a name. */
const hashLength = 16;

/** The same event that the same destination did not take has the same name. */
export function letterName({ event, destination }: Pick<DeadLetter, 'event' | 'destination'>): string {
  const identity = JSON.stringify([event.source, event.id, destination]);
  return `dead-letter-${createHash('sha256').update(identity).digest('hex').slice(0, hashLength)}`;
}

export function letterConfigMap(letter: DeadLetter): ConfigMap {
  const { event, isWhole, destination, code, reason, received } = letter;
  return {
    metadata: { name: letterName(letter), namespace, labels: { ...managedByLabel, [letterLabel]: 'true' } },
    data: {
      event: JSON.stringify(event),
      whole: String(isWhole),
      destination,
      code,
      reason,
      received: received.toISOString(),
    },
  };
}

const letterData = z.object({
  event: z
    .string()
    .transform((json, context) => {
      try {
        return JSON.parse(json);
      } catch {
        context.addIssue('is no JSON');
        return z.NEVER;
      }
    })
    .pipe(letterEvent),
  whole: z.stringbool().catch(false),
  destination: text,
  code: text,
  reason: text,
  received: z.coerce.date().catch(new Date(0)),
});

/** @throws Error for a ConfigMap that somebody else has made or changed */
export function readLetter({ metadata, data }: ConfigMap): KeptLetter {
  const name = metadata?.name ?? '';
  const parsed = letterData.safeParse(data ?? {});
  if (!parsed.success) throw new Error(`The ConfigMap ${name} is no dead letter: ${z.prettifyError(parsed.error)}`);
  const { whole, ...rest } = parsed.data;
  const version = { uid: metadata?.uid ?? '', resourceVersion: metadata?.resourceVersion ?? '' };
  return { ...rest, isWhole: whole, name, ...version };
}
