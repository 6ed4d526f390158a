import type { Destination } from './manifests/knative-objects.ts';

/** Services are named after their function with this before it. */
const servicePrefix = 'magnum-';

/** Reserved by RFC 2606: whoever installs puts a real name there. */
const placeholder = /\.invalid$/;

export interface SubscriberAddresses {
  /** URLs of functions by name. */
  readonly functions: Readonly<Record<string, string>>;
  /** URL of the broker. */
  readonly broker: string;
  /** What stands for Magnum's listener. @default nobody */
  readonly listener: string | undefined;
}

/** URL of a Trigger's subscriber or a source's sink; undefined where it is not part of the local system. */
export function addressOf(destination: Destination, addresses: SubscriberAddresses): string | undefined {
  if ('uri' in destination) {
    return placeholder.test(new URL(destination.uri).hostname) ? addresses.listener : destination.uri;
  }
  const { kind, name } = destination.ref;
  if (kind === 'Broker') return addresses.broker;
  const functionName = name.startsWith(servicePrefix) ? name.slice(servicePrefix.length) : name;
  const isKnown = kind === 'Service' && Object.hasOwn(addresses.functions, functionName);
  return isKnown ? addresses.functions[functionName] : undefined;
}
