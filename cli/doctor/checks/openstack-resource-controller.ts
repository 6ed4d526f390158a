import { type Check, failure, goodUnless } from '../check.ts';
import { unservedTypes } from '../discovery.ts';
import { observedTypes } from '../observed-types.ts';

export const openStackResourceControllerCheck: Check = {
  id: 'openstack-resource-controller',
  description:
    'The kinds of the OpenStack Resource Controller (ORC) are served: the manager of the OpenStack provider watches its Images, and ends without them. clusterctl does not install it.',
  remedy:
    "Install the OpenStack Resource Controller (k-orc/openstack-resource-controller), as the OpenStack provider's book says.",
  async run(surroundings) {
    const missing = await unservedTypes(surroundings, [observedTypes.orcImage]);
    const problems = missing.map(({ kind, apiVersion }) => failure(`${kind} of ${apiVersion} is not served.`));
    return goodUnless(problems, 'The kinds of the OpenStack Resource Controller are served.');
  },
};
