import { type ResourceType, resources } from '../../../shared/kubernetes/resources.ts';
import { type Check, goodUnless } from '../check.ts';
import { unservedKinds } from '../discovery.ts';

export const apiVersionsCheck: Check = {
  id: 'api-versions',
  description:
    'The API server serves every kind that the functions read or write, in the version in which they do: Cluster API v1beta2, and of its OpenStack provider v1beta1 and, for OpenStackServer, v1alpha1.',
  remedy: 'Install Cluster API 1.11 or newer and its OpenStack provider 0.12 or newer, with their definitions.',
  async run(surroundings) {
    const types = Object.values<ResourceType>(resources);
    const problems = await unservedKinds(surroundings, types);
    return goodUnless(problems, `All ${types.length} kinds of the functions are served.`);
  },
};
