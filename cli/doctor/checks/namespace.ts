import { managementNamespace as name } from '../../../shared/render/metadata.ts';
import { textAt } from '../../../shared/status/views/json-part.ts';
import { type Check, failure, good } from '../check.ts';
import { observedTypes } from '../observed-types.ts';

export const namespaceCheck: Check = {
  id: 'namespace',
  description: `There is the namespace ${name}, with everything in it.`,
  remedy: 'Apply knative/, which has the namespace: kubectl apply -k knative/site.',
  async run({ client, signal }) {
    const found = await client.find(observedTypes.namespace, { name }, { signal });
    if (found === undefined) return [failure(`The namespace ${name} is missing.`)];
    if (textAt(found, 'status', 'phase') === 'Terminating') return [failure(`The namespace ${name} is being deleted.`)];
    return [good(`The namespace ${name} is there.`)];
  },
};
