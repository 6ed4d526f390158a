import type { Feature } from './feature.ts';
import { addVariable } from './json-patch.ts';
import { spec } from './paths.ts';
import { infrastructureCluster } from './selectors.ts';
import { optional, required } from './variable.ts';

/** CAPO takes a missing load balancer and a disabled one for different values, so a second variable says whether it is set. */
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
    optional('apiServerLoadBalancerManaged', {
      type: 'boolean',
      description: 'Whether apiServerLoadBalancer is written at all.',
      default: true,
    }),
  ],
  patches: [
    {
      name: 'apiServerLoadBalancer',
      enabledIf: '{{ .apiServerLoadBalancerManaged }}',
      definitions: [
        {
          selector: infrastructureCluster,
          jsonPatches: [addVariable(`${spec}/apiServerLoadBalancer`, 'apiServerLoadBalancer')],
        },
      ],
    },
  ],
};
