import { redactText } from '../../shared/host/redaction.ts';

/** Why a broker gave an event up, by the extensions that it added. */
interface DeliveryFailure {
  readonly destination: string;
  readonly code: string;
  readonly reason: string;
}

/** Characters; the broker itself cuts at 768 bytes. */
const longestReason = 1000;
const longestDestination = 300;

/** Reads `knativeerrordest`, `knativeerrorcode` and `knativeerrordata`, each of which may be missing or anything. */
export function deliveryFailure(extensions: Readonly<Record<string, string>>): DeliveryFailure {
  const { knativeerrordest = '', knativeerrorcode = '', knativeerrordata = '' } = extensions;
  return {
    destination: originOf(knativeerrordest).slice(0, longestDestination),
    code: /^\d{3}$/.test(knativeerrorcode) ? knativeerrorcode : '',
    reason: reasonOf(knativeerrordata),
  };
}

/** Without the path: that of Magnum's listener ends with its secret. */
function originOf(address: string): string {
  const url = URL.parse(address);
  return url === null || url.origin === 'null' ? '' : url.origin;
}

/** Clients repeat the address that they could not reach, with its path. */
function reasonOf(data: string): string {
  const text = readable(data)
    .replace(/https?:\/\/[^\s"'<>\\]+/gi, (address) => `${originOf(address)}/…`)
    .replace(/\/reports\/[^\s"'<>\\]+/g, '/reports/…')
    .replace(/\p{Cc}+/gu, ' ')
    .trim();
  return redactText(text).slice(0, longestReason).toWellFormed();
}

/** The Kafka Broker and the one over channels encode in base64, cut at 1024 characters; RabbitMQ's does not. */
function readable(data: string): string {
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) return data;
  try {
    // With `stream`, half a character at the end is no fault.
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(data, 'base64'), { stream: true });
  } catch {
    return data;
  }
}
