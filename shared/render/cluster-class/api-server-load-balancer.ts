import type { Feature } from './feature.ts';
import { addVariable } from './json-patch.ts';
import { spec } from './paths.ts';
import { infrastructureCluster } from './selectors.ts';
import { required } from './variable.ts';

export const apiServerLoadBalancer: Feature = {
  variables: [
    required('apiServerLoadBalancer', {
      type: 'object',
      description: 'Octavia load balancer in front of the API server; what is left out is chosen by CAPO.',
      required: ['enabled'],
      properties: {
        enabled: { type: 'boolean' },
        provider: { type: 'string' },
        flavor: { type: 'string' },
        availabilityZone: { type: 'string' },
      },
    }),
  ],
  patches: [
    {
      name: 'apiServerLoadBalancer',
      definitions: [
        {
          selector: infrastructureCluster,
          jsonPatches: [addVariable(`${spec}/apiServerLoadBalancer`, 'apiServerLoadBalancer')],
        },
      ],
    },
  ],
};
