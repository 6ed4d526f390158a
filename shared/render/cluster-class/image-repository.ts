import type { Feature } from './feature.ts';
import { addTemplate, addVariable } from './json-patch.ts';
import { maximumRepositoryLength } from './limits.ts';
import { kubeadm, spec } from './paths.ts';
import { controlPlane, workers } from './selectors.ts';
import { expression } from './template.ts';
import { optionalText } from './variable.ts';

export const imageRepository: Feature = {
  variables: [
    optionalText(
      'imageRepository',
      "Registry prefix of Kubernetes' own images, without trailing slash.",
      maximumRepositoryLength,
    ),
  ],
  patches: [
    {
      name: 'imageRepository',
      enabledIf: '{{ ne .imageRepository "" }}',
      definitions: [
        {
          selector: controlPlane,
          jsonPatches: [addVariable(`${kubeadm}/clusterConfiguration/imageRepository`, 'imageRepository')],
        },
        {
          selector: workers,
          jsonPatches: [
            addTemplate(`${spec}/clusterConfiguration`, { imageRepository: expression('.imageRepository') }),
          ],
        },
      ],
    },
  ],
};
