import { type Check, goodUnless } from '../check.ts';
import { readiness } from '../installed-objects.ts';
import { observedTypes } from '../observed-types.ts';

const { broker, trigger, apiServerSource, pingSource, sinkBinding } = observedTypes;

export const eventsCheck: Check = {
  id: 'events',
  description: 'Broker, Triggers, sources and SinkBindings, by which changes become reports, are there and ready.',
  remedy:
    'Apply knative/, and look at what the object says: kubectl -n magnum-system describe broker,trigger,apiserversource.',
  needs: ['knative-eventing', 'namespace', 'functions'],
  async run(surroundings) {
    const types = [broker, trigger, apiServerSource, pingSource, sinkBinding];
    const problems = await Promise.all(types.map((type) => readiness(surroundings, type)));
    return goodUnless(problems.flat(), 'Broker, Triggers and sources are ready.');
  },
};
