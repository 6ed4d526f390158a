import type { Feature } from './feature.ts';
import { add, addTemplate } from './json-patch.ts';
import { spec } from './paths.ts';
import { allMachines } from './selectors.ts';
import { expression } from './template.ts';
import { optionalSwitch, optionalText } from './variable.ts';

export const serverGroup: Feature = {
  variables: [
    optionalText('serverGroupId', 'Id of the Nova server group of the machines.'),
    optionalSwitch('isServerGroupDiffFailureDomain', 'Whether Nova is asked for different failure domains.'),
  ],
  patches: [
    {
      name: 'serverGroupId',
      enabledIf: '{{ ne .serverGroupId "" }}',
      definitions: [
        {
          selector: allMachines,
          jsonPatches: [addTemplate(`${spec}/serverGroup`, { id: expression('.serverGroupId') })],
        },
      ],
    },
    {
      name: 'serverGroupDifferentFailureDomain',
      enabledIf: '{{ .isServerGroupDiffFailureDomain }}',
      definitions: [
        {
          selector: allMachines,
          jsonPatches: [
            add(`${spec}/schedulerHintAdditionalProperties`, [
              { name: 'different_failure_domain', value: { type: 'Bool', bool: true } },
            ]),
          ],
        },
      ],
    },
  ],
};
