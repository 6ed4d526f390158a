import type { Feature } from './feature.ts';
import { appendFixedArgument } from './json-patch.ts';
import { apiServerArguments } from './paths.ts';
import { controlPlane } from './selectors.ts';

/** The API server's flag is gone since Kubernetes 1.33; `-0` counts that version's pre-releases as 1.33 too. */
export const cloudProvider: Feature = {
  variables: [],
  patches: [
    {
      name: 'cloudProvider',
      enabledIf: '{{ semverCompare "<1.33.0-0" .builtin.controlPlane.version }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [appendFixedArgument(apiServerArguments, 'cloud-provider', 'external')],
        },
      ],
    },
  ],
};
