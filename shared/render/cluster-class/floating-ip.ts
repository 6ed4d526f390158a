import type { Feature } from './feature.ts';
import { addVariable } from './json-patch.ts';
import { spec } from './paths.ts';
import { infrastructureCluster } from './selectors.ts';
import { optionalSwitch, optionalText } from './variable.ts';

/** CAPO takes a missing `disableAPIServerFloatingIP` and `false` for different values, so a second variable says whether it is set. */
export const floatingIp: Feature = {
  variables: [
    optionalText('apiServerFloatingIP', 'Floating IP that exists already and is given to the API server.'),
    optionalSwitch('disableAPIServerFloatingIP', 'Whether the API server goes without a floating IP.'),
    optionalSwitch('disableAPIServerFloatingIPManaged', 'Whether disableAPIServerFloatingIP is written at all.'),
  ],
  patches: [
    {
      name: 'apiServerFloatingIP',
      enabledIf: '{{ ne .apiServerFloatingIP "" }}',
      definitions: [
        {
          selector: infrastructureCluster,
          jsonPatches: [addVariable(`${spec}/apiServerFloatingIP`, 'apiServerFloatingIP')],
        },
      ],
    },
    {
      name: 'disableAPIServerFloatingIP',
      enabledIf: '{{ .disableAPIServerFloatingIPManaged }}',
      definitions: [
        {
          selector: infrastructureCluster,
          jsonPatches: [addVariable(`${spec}/disableAPIServerFloatingIP`, 'disableAPIServerFloatingIP')],
        },
      ],
    },
  ],
};
