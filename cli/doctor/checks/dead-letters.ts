import { letterSelector, readLetter } from '../../../shared/dead-letters/dead-letter.ts';
import { resources } from '../../../shared/kubernetes/resources.ts';
import { managementNamespace as namespace } from '../../../shared/render/metadata.ts';
import { type Check, good, warning } from '../check.ts';

export const deadLettersCheck: Check = {
  id: 'dead-letters',
  description: 'No event is left that could not be delivered.',
  remedy:
    'Look at them by "magnum-capi dead-letters"; once the cause is gone, "magnum-capi dead-letters replay --all".',
  needs: ['namespace'],
  async run({ client, signal }) {
    const objects = await client.list(resources.configMap, { namespace, labelSelector: letterSelector, signal });
    const [newest] = objects.map(readLetter).toSorted((one, other) => Number(other.received) - Number(one.received));
    if (newest === undefined) return [good('There are no dead letters.')];
    const letters = objects.length === 1 ? 'There is one dead letter' : `There are ${objects.length} dead letters`;
    return [warning(`${letters}, the newest of ${newest.received.toISOString()}.`)];
  },
};
