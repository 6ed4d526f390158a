import { type Check, failure, goodUnless } from '../check.ts';
import { unservedTypes } from '../discovery.ts';
import { observedTypes } from '../observed-types.ts';

const { knativeService, broker, trigger, apiServerSource, pingSource, sinkBinding } = observedTypes;

export const knativeServingCheck: Check = {
  id: 'knative-serving',
  description: 'Knative Serving is installed: the API server serves its Services.',
  remedy: 'Install Knative Serving 1.22 or newer, with a network layer.',
  async run(surroundings) {
    const missing = await unservedTypes(surroundings, [knativeService]);
    return goodUnless(missing.map(missingType), 'Knative Serving is there.');
  },
};

export const knativeEventingCheck: Check = {
  id: 'knative-eventing',
  description: 'Knative Eventing is installed: the API server serves its Brokers, Triggers and sources.',
  remedy: 'Install Knative Eventing 1.22 or newer, with a Broker class.',
  async run(surroundings) {
    const types = [broker, trigger, apiServerSource, pingSource, sinkBinding];
    const missing = await unservedTypes(surroundings, types);
    return goodUnless(missing.map(missingType), 'Knative Eventing is there.');
  },
};

function missingType({ kind, apiVersion }: { readonly kind: string; readonly apiVersion: string }) {
  return failure(`${kind} of ${apiVersion} is not served.`);
}
