import type { Feature } from './feature.ts';
import { addVariable } from './json-patch.ts';
import { spec } from './paths.ts';
import { allMachines, infrastructureCluster } from './selectors.ts';
import { requiredText } from './variable.ts';

export const clusterIdentity: Feature = {
  variables: [requiredText('clusterIdentityRefName', 'Name of the Secret with the clouds.yaml of the cluster.')],
  patches: [
    {
      name: 'clusterIdentityRefName',
      definitions: [allMachines, infrastructureCluster].map((selector) => ({
        selector,
        jsonPatches: [addVariable(`${spec}/identityRef/name`, 'clusterIdentityRefName')],
      })),
    },
  ],
};
