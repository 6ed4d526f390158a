import { type Check, goodUnless } from '../check.ts';
import { unservedKinds } from '../discovery.ts';
import { observedTypes } from '../observed-types.ts';

const { knativeService, broker, trigger, apiServerSource, pingSource, sinkBinding } = observedTypes;

export const knativeServingCheck: Check = {
  id: 'knative-serving',
  description: 'Knative Serving is installed: the API server serves its Services.',
  remedy: 'Install Knative Serving 1.22 or newer, with a network layer.',
  async run(surroundings) {
    const problems = await unservedKinds(surroundings, [knativeService]);
    return goodUnless(problems, 'Knative Serving is there.');
  },
};

export const knativeEventingCheck: Check = {
  id: 'knative-eventing',
  description: 'Knative Eventing is installed: the API server serves its Brokers, Triggers and sources.',
  remedy: 'Install Knative Eventing 1.22 or newer, with a Broker class.',
  async run(surroundings) {
    const types = [broker, trigger, apiServerSource, pingSource, sinkBinding];
    const problems = await unservedKinds(surroundings, types);
    return goodUnless(problems, 'Knative Eventing is there.');
  },
};
