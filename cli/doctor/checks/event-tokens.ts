import type { CustomObject } from '../../../shared/kubernetes/kubernetes-object.ts';
import { listAt, textAt } from '../../../shared/status/views/json-part.ts';
import { isAllowed } from '../access.ts';
import { type Check, type Finding, failure, good, goodUnless } from '../check.ts';
import { conditionProblem } from '../condition.ts';
import { installed } from '../installed-objects.ts';
import { observedTypes } from '../observed-types.ts';
import type { Surroundings } from '../surroundings.ts';

const prefix = 'magnum-';

export const eventTokensCheck: Check = {
  id: 'event-tokens',
  description:
    'With the component oidc: each Trigger of a function that wants tokens (`BROKER_AUTH=oidc`) asks Eventing for one of its audience, has got an account to show, whose owner may `deliver` to it, and the EventPolicies are ready. Without it there is nothing to check.',
  remedy:
    'Turn on the feature authentication-oidc of Eventing (ConfigMap config-features), and apply knative/ with the component oidc; or take the component out.',
  needs: ['events', 'functions'],
  async run(surroundings) {
    const audiences = audiencesOf(await installed(surroundings, observedTypes.knativeService));
    if (audiences.size === 0) return [good('The functions leave it to the network who sends events.')];
    const triggers = await installed(surroundings, observedTypes.trigger);
    const problems = await Promise.all(triggers.map((trigger) => problemsOf(surroundings, trigger, audiences)));
    const policies = (await installed(surroundings, observedTypes.eventPolicy)).flatMap((policy) => {
      const problem = conditionProblem(policy, 'Ready');
      return problem === null ? [] : [failure(`EventPolicy ${policy.metadata?.name} is not ready: ${problem}.`)];
    });
    return goodUnless([...problems.flat(), ...policies], 'Events come with tokens that the functions accept.');
  },
};

/** The audience of each function that wants tokens, by its Service. */
function audiencesOf(services: readonly CustomObject[]): ReadonlyMap<string, string> {
  return new Map(
    services.flatMap((service): [string, string][] => {
      const [container] = listAt(service, 'spec', 'template', 'spec', 'containers');
      const variable = (name: string) =>
        textAt(
          listAt(container, 'env').find((each) => textAt(each, 'name') === name),
          'value',
        );
      const name = service.metadata?.name ?? '';
      return variable('BROKER_AUTH') === 'oidc' ? [[name, variable('BROKER_AUDIENCE') ?? '']] : [];
    }),
  );
}

async function problemsOf(
  surroundings: Surroundings,
  trigger: CustomObject,
  audiences: ReadonlyMap<string, string>,
): Promise<readonly Finding[]> {
  const name = `Trigger ${trigger.metadata?.name}`;
  const service = textAt(trigger, 'spec', 'subscriber', 'ref', 'name') ?? '';
  const audience = audiences.get(service);
  if (audience === undefined) return [];
  if (textAt(trigger, 'spec', 'subscriber', 'audience') !== audience) {
    return [failure(`${name} does not ask for tokens of the audience ${audience}.`)];
  }
  const account = textAt(trigger, 'status', 'auth', 'serviceAccountName');
  if (account === null) return [failure(`${name} has no account: Eventing's feature authentication-oidc is off.`)];
  const resource = service.slice(prefix.length);
  const deliver = { account, group: 'functions.magnum.openstack.org', resource, verb: 'deliver' };
  const mayDeliver = await isAllowed(surroundings, { ...deliver, subresource: undefined, namespaced: true });
  return mayDeliver ? [] : [failure(`${account}, the account of ${name}, may not deliver to ${service}.`)];
}
