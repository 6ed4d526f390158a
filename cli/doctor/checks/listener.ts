import { textAt } from '../../../shared/status/views/json-part.ts';
import { type Check, failure, good } from '../check.ts';
import { installed } from '../installed-objects.ts';
import { observedTypes } from '../observed-types.ts';

export const listenerCheck: Check = {
  id: 'listener',
  description:
    "A Trigger takes reports to Magnum's listener, whose address is no longer the placeholder of knative/base.",
  remedy:
    'Put the address of magnum-capi-listener, with its secret, into the Trigger magnum-reports by your kustomization.',
  needs: ['knative-eventing', 'namespace'],
  async run(surroundings) {
    const triggers = await installed(surroundings, observedTypes.trigger);
    const own = triggers.filter(({ metadata }) => metadata?.name?.startsWith('magnum-reports'));
    if (own.length === 0) return [failure('No Trigger takes reports to Magnum.')];
    const open = own.find((trigger) => hostOf(trigger)?.endsWith('.invalid') === true);
    if (open === undefined) return [good("Reports have the address of Magnum's listener.")];
    // The address holds a secret where it is real, so no address is ever shown.
    return [
      failure(`The Trigger ${open.metadata?.name} still has the placeholder in the place of the listener's address.`),
    ];
  },
};

function hostOf(trigger: unknown): string | undefined {
  const uri = textAt(trigger, 'spec', 'subscriber', 'uri') ?? '';
  return URL.canParse(uri) ? new URL(uri).hostname : undefined;
}
