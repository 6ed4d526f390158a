import { type EventTypeName, eventTypes, type FunctionName } from '../../shared/contract/event-types.ts';
import { UsageError } from '../errors.ts';

const prefix = 'org.openstack.magnum.';
const suffix = '.v1';

/** The requests that Magnum sends, by their short names. */
export const requestNames: readonly string[] = Object.keys(eventTypes)
  .filter((type) => type.startsWith(prefix) && functionOf(type) !== undefined)
  .map((type) => type.slice(prefix.length, -suffix.length));

/**
 * The type that is meant by a name such as `cluster.delete`, or by the whole type.
 * @throws UsageError that lists what there is
 */
export function requestType(name: string): string {
  const type = [name, `${prefix}${name}`, `${prefix}${name}${suffix}`].find((one) => functionOf(one) !== undefined);
  if (type !== undefined) return type;
  throw new UsageError(`There is no event type ${name}; there are ${requestNames.join(', ')}.`);
}

/** The function that takes events of a type first; undefined for a reply and what is unknown. */
export function functionOf(type: string): FunctionName | undefined {
  return isKnown(type) ? eventTypes[type].functions[0] : undefined;
}

function isKnown(type: string): type is EventTypeName {
  return Object.hasOwn(eventTypes, type);
}
