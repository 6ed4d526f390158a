import type { Feature } from './feature.ts';
import { addTemplate } from './json-patch.ts';
import { spec } from './paths.ts';
import { allMachines } from './selectors.ts';
import { expression, when } from './template.ts';
import { optional, optionalText } from './variable.ts';

export const bootVolume: Feature = {
  variables: [
    optional('bootVolume', {
      type: 'object',
      description:
        "Volume from which machines boot, in GiB; size 0 boots from the flavor's disk, type '' is CAPO's choice.",
      required: ['type', 'size'],
      properties: { type: { type: 'string' }, size: { type: 'integer', minimum: 0 } },
      default: { type: '', size: 0 },
    }),
    optionalText('bootVolumeAvailabilityZone', 'Zone of the boot volumes.'),
  ],
  patches: [
    {
      name: 'bootVolume',
      // The engine hands over every number as a float; comparing one with an integer is an error.
      enabledIf: '{{ gt .bootVolume.size 0.0 }}',
      definitions: [
        {
          selector: allMachines,
          jsonPatches: [
            addTemplate(`${spec}/rootVolume`, {
              sizeGiB: expression('.bootVolume.size'),
              type: expression('.bootVolume.type'),
              availabilityZone: when('ne .bootVolumeAvailabilityZone ""', {
                name: expression('.bootVolumeAvailabilityZone'),
              }),
            }),
          ],
        },
      ],
    },
  ],
};
