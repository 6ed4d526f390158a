import { type Check, goodUnless } from '../check.ts';
import { unservedKinds } from '../discovery.ts';
import { observedTypes } from '../observed-types.ts';

export const openStackResourceControllerCheck: Check = {
  id: 'openstack-resource-controller',
  description:
    'The kinds of the OpenStack Resource Controller (ORC) are served: the manager of the OpenStack provider watches its Images, and ends without them. clusterctl does not install it.',
  remedy:
    "Install the OpenStack Resource Controller (k-orc/openstack-resource-controller), as the OpenStack provider's book says.",
  async run(surroundings) {
    const problems = await unservedKinds(surroundings, [observedTypes.orcImage]);
    return goodUnless(problems, 'The kinds of the OpenStack Resource Controller are served.');
  },
};
