import type { Feature } from './feature.ts';
import { addVariable, appendArgument } from './json-patch.ts';
import { maximumArgumentLength, maximumTaints } from './limits.ts';
import { kubeletArguments, spec } from './paths.ts';
import { workers } from './selectors.ts';
import { optional, optionalText } from './variable.ts';

const text = { type: 'string' } as const;

/** Labels and taints with which worker nodes register; Cluster API would sync only labels of few prefixes, and no taints. */
export const nodeRegistration: Feature = {
  variables: [
    optionalText(
      'nodeLabels',
      'Comma-joined labels with which the nodes register, each `key=value`.',
      maximumArgumentLength,
    ),
    optional('nodeTaints', {
      type: 'array',
      description: 'Taints with which the nodes register.',
      items: {
        type: 'object',
        required: ['key', 'effect'],
        properties: {
          key: { type: 'string', minLength: 1 },
          value: text,
          effect: { type: 'string', enum: ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] },
        },
      },
      maxItems: maximumTaints,
      default: [],
    }),
  ],
  patches: [
    {
      name: 'nodeLabels',
      enabledIf: '{{ ne .nodeLabels "" }}',
      definitions: [
        {
          selector: workers,
          jsonPatches: [appendArgument(kubeletArguments.worker, 'node-labels', '.nodeLabels')],
        },
      ],
    },
    {
      name: 'nodeTaints',
      enabledIf: '{{ ne (len .nodeTaints) 0 }}',
      definitions: [
        {
          selector: workers,
          jsonPatches: [addVariable(`${spec}/joinConfiguration/nodeRegistration/taints`, 'nodeTaints')],
        },
      ],
    },
  ],
};
