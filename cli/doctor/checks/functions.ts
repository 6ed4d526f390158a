import { type Check, goodUnless } from '../check.ts';
import { readiness, wantedNames } from '../installed-objects.ts';
import { observedTypes } from '../observed-types.ts';

export const functionsCheck: Check = {
  id: 'functions',
  description: 'Each function is there as a Knative Service, and ready.',
  remedy: 'Apply knative/, and look at what the Service says: kubectl -n magnum-system describe ksvc.',
  needs: ['knative-serving', 'namespace'],
  async run(surroundings) {
    const problems = await readiness(surroundings, observedTypes.knativeService);
    const { length } = wantedNames(surroundings, observedTypes.knativeService);
    return goodUnless(problems, `All ${length} functions are ready.`);
  },
};
