import type { Feature } from './feature.ts';
import { addVariable } from './json-patch.ts';
import { spec } from './paths.ts';
import { allMachines, controlPlaneMachines, workerMachines } from './selectors.ts';
import { optionalText, requiredText } from './variable.ts';

/** What every server is made of: flavor, image and key pair. */
export const machines: Feature = {
  variables: [
    requiredText('controlPlaneFlavor', "Name of the control plane machines' flavor."),
    requiredText('flavor', "Name of the worker machines' flavor."),
    requiredText('imageUUID', 'Id of the image.'),
    optionalText('sshKeyName', 'Name of the Nova key pair.'),
  ],
  patches: [
    {
      name: 'flavors',
      definitions: [
        { selector: controlPlaneMachines, jsonPatches: [addVariable(`${spec}/flavor`, 'controlPlaneFlavor')] },
        { selector: workerMachines, jsonPatches: [addVariable(`${spec}/flavor`, 'flavor')] },
      ],
    },
    {
      name: 'images',
      definitions: [{ selector: allMachines, jsonPatches: [addVariable(`${spec}/image/id`, 'imageUUID')] }],
    },
    {
      name: 'sshKeyName',
      enabledIf: '{{ ne .sshKeyName "" }}',
      definitions: [{ selector: allMachines, jsonPatches: [addVariable(`${spec}/sshKeyName`, 'sshKeyName')] }],
    },
  ],
};
