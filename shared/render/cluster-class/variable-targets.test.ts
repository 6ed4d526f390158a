import { expect, test } from 'vitest';
import { features } from './features.ts';
import { variableDefaults, variableTargets } from './variable-targets.ts';

const both = ['controlPlane', 'workers'];
const masters = ['controlPlane'];
const workers = ['workers'];

/** What nobody would look up in the machines. */
const infrastructure: string[] = [];

test.each<[string, readonly string[]]>([
  ['imageUUID', both],
  ['flavor', workers],
  ['controlPlaneFlavor', masters],
  ['bootVolume', both],
  ['bootVolumeAvailabilityZone', both],
  ['serverGroupId', both],
  ['isServerGroupDiffFailureDomain', both],
  ['clusterIdentityRefName', both],
  ['enableEtcdVolume', masters],
  ['dockerVolumeSize', both],
  ['hardwareDiskBus', both],
  ['nodeLabels', workers],
  ['nodeTaints', workers],
  ['apiServerSANs', masters],
  ['auditLog', masters],
  ['containerdConfig', both],
  ['externalNetworkId', infrastructure],
  ['apiServerLoadBalancer', infrastructure],
  ['controlPlaneAvailabilityZones', infrastructure],
  ['dnsNameservers', infrastructure],
  ['disableAPIServerFloatingIP', infrastructure],
])('%s is part of %j', (name, groups) => {
  expect([...(variableTargets.get(name) ?? ['unknown'])].toSorted()).toEqual(groups);
});

test('every variable of the class has its targets', () => {
  const names = features.flatMap(({ variables }) => variables.map(({ name }) => name));
  expect([...variableTargets.keys()]).toEqual(names);
  expect([...variableDefaults.keys()]).toEqual(names);
});
