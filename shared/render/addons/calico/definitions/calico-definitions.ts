import {
  type CustomResourceDefinition,
  customResourceDefinition,
  type DefinitionRow,
} from '../../custom-resources/custom-resource-definition.ts';
import type { CalicoLine } from '../releases.ts';
import { calicoSchemas } from './calico-schemas.ts';
import { policyDefinitions } from './policy-definitions.ts';

const clusterKinds = [
  'BGPConfiguration',
  'BGPFilter',
  'BGPPeer',
  'BlockAffinity',
  'CalicoNodeStatus',
  'ClusterInformation',
  'FelixConfiguration',
  'GlobalNetworkPolicy',
  'GlobalNetworkSet',
  'HostEndpoint',
  'IPAMBlock',
  'IPAMConfig',
  'IPAMHandle',
  'IPPool',
  'IPReservation',
  'KubeControllersConfiguration',
  'StagedGlobalNetworkPolicy',
  'Tier',
];

const namespacedKinds = ['NetworkPolicy', 'NetworkSet', 'StagedKubernetesNetworkPolicy', 'StagedNetworkPolicy'];

/**
 * The kinds in which Calico keeps its data, and those of the Network Policy API that it follows. They say of the fields only
 * where upstream has a default or a rule; what is wrong elsewhere is refused by Calico instead of the API server.
 */
export function calicoDefinitions(line: CalicoLine): readonly CustomResourceDefinition[] {
  const own = [
    ...clusterKinds.map((kind) => row(line, kind, 'Cluster')),
    ...namespacedKinds.map((kind) => row(line, kind, 'Namespaced')),
  ];
  return [...own, ...policyDefinitions[line]].map(customResourceDefinition);
}

function row(line: CalicoLine, kind: string, scope: DefinitionRow['scope']): DefinitionRow {
  const schema = calicoSchemas[line][kind];
  return {
    group: 'crd.projectcalico.org',
    version: 'v1',
    kind,
    scope,
    hasStatus: kind === 'KubeControllersConfiguration' && line === 'v3.32',
    ...(schema === undefined ? {} : { schema }),
  };
}
