import type { Feature } from './feature.ts';
import { addVariable, appendArgument } from './json-patch.ts';
import { kubeletArguments, spec } from './paths.ts';
import { workers } from './selectors.ts';
import { optional } from './variable.ts';

const text = { type: 'string' } as const;

/** Labels and taints with which worker nodes register; Cluster API would sync only labels of few prefixes, and no taints. */
export const nodeRegistration: Feature = {
  variables: [
    optional('nodeLabels', {
      type: 'array',
      description: 'Labels with which the nodes register, each `key=value`.',
      items: text,
      default: [],
    }),
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
      default: [],
    }),
  ],
  patches: [
    {
      name: 'nodeLabels',
      enabledIf: '{{ ne (len .nodeLabels) 0 }}',
      definitions: [
        {
          selector: workers,
          jsonPatches: [appendArgument(kubeletArguments.worker, 'node-labels', 'join "," .nodeLabels')],
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
