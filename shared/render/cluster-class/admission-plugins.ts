import type { Feature } from './feature.ts';
import { appendArgument } from './json-patch.ts';
import { maximumArgumentLength } from './limits.ts';
import { apiServerArguments } from './paths.ts';
import { controlPlane } from './selectors.ts';
import { optionalText } from './variable.ts';

export const admissionPlugins: Feature = {
  variables: [
    optionalText(
      'admissionControlList',
      'Comma-joined admission plugins that the API server enables.',
      maximumArgumentLength,
    ),
  ],
  patches: [
    {
      name: 'admissionControlList',
      enabledIf: '{{ ne .admissionControlList "" }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [appendArgument(apiServerArguments, 'enable-admission-plugins', '.admissionControlList')],
        },
      ],
    },
  ],
};
