import type { Feature } from './feature.ts';
import { addTemplate } from './json-patch.ts';
import { spec } from './paths.ts';
import { infrastructureCluster } from './selectors.ts';
import { expression } from './template.ts';
import { optional } from './variable.ts';

/** The original writes `[""]` for none; an empty list means the same here (original-facts §1.5). */
export const availabilityZones: Feature = {
  variables: [
    optional('controlPlaneAvailabilityZones', {
      type: 'array',
      description: 'Zones over which control plane machines are spread.',
      items: { type: 'string' },
      default: [''],
    }),
  ],
  patches: [
    {
      name: 'controlPlaneAvailabilityZones',
      enabledIf: '{{ ne (join "" .controlPlaneAvailabilityZones) "" }}',
      definitions: [
        {
          selector: infrastructureCluster,
          jsonPatches: [
            addTemplate(
              `${spec}/controlPlaneAvailabilityZones`,
              expression('.controlPlaneAvailabilityZones | compact | uniq'),
            ),
          ],
        },
      ],
    },
  ],
};
