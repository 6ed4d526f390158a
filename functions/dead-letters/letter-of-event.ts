import { schemaUri } from '../../shared/contract/schema-uri.ts';
import type { DeadLetter } from '../../shared/dead-letters/dead-letter.ts';
import type { CloudEventIn } from '../../shared/host/cloud-event.ts';
import { redactFields, redactText } from '../../shared/host/redaction.ts';
import { deliveryFailure } from './delivery-failure.ts';

/** Bytes. As much as CloudEvents asks everybody to carry; what the system itself sends is far smaller. */
const largestEvent = 64 * 1024;
/** Characters of an attribute of an event that is kept in part. */
const longestAttribute = 500;

/** What brokers add on the way, which a second delivery must not begin with. */
const brokerExtension = /^knative/;

/** The letter that is kept of an event. No secret comes with it: brokers carry names and reports, and what looks like one is hidden. */
export function letterOfEvent(event: CloudEventIn, received: Date): DeadLetter {
  const { extensions } = event;
  return { ...keptEvent(event), ...deliveryFailure(extensions), received };
}

function keptEvent(event: CloudEventIn): Pick<DeadLetter, 'event' | 'isWhole'> {
  const whole = inJsonFormat(event);
  const json = JSON.stringify(whole);
  if (Buffer.byteLength(json) > largestEvent) return { event: attributesOf(event), isWhole: false };
  const kept = { ...redactFields(whole), ...attributesOf(event) };
  return { event: kept, isWhole: JSON.stringify({ ...whole, ...kept }) === json };
}

/** CloudEvents JSON format 1.0.2. */
function inJsonFormat({ extensions, data, ...attributes }: CloudEventIn) {
  const own = Object.entries(extensions).filter(([name]) => !brokerExtension.test(name));
  return {
    specversion: '1.0',
    ...Object.fromEntries(own),
    ...attributes,
    datacontenttype: 'application/json',
    // Events of Knative's sources have none; each of ours has that of its type.
    ...(attributes.type.startsWith('org.openstack.magnum.') ? { dataschema: schemaUri(attributes.type) } : {}),
    ...(data === undefined ? {} : { data }),
  };
}

function attributesOf({ id, source, type, subject, time }: CloudEventIn) {
  const short = (text: string) => redactText(text).slice(0, longestAttribute).toWellFormed();
  return { id: short(id), source: short(source), type: short(type), subject: short(subject), time: short(time) };
}
