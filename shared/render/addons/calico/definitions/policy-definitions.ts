import { checked, invalid } from '../../custom-resources/checks.ts';
import type { DefinitionRow } from '../../custom-resources/custom-resource-definition.ts';
import {
  anything,
  defaultText,
  integer,
  list,
  object,
  type Schema,
  set,
  shortText,
  text,
} from '../../custom-resources/schema.ts';
import type { CalicoLine } from '../releases.ts';

const group = 'policy.networking.k8s.io';

/** The API server takes no definition of this group without the review that approved it. */
function annotations(review: number, version: string, channel: string) {
  return {
    'api-approved.kubernetes.io': `https://github.com/kubernetes-sigs/network-policy-api/pull/${review}`,
    [`${group}/bundle-version`]: version,
    [`${group}/channel`]: channel,
  };
}

function column(field: 'tier' | 'priority') {
  return { name: field.charAt(0).toUpperCase() + field.slice(1), type: 'string', jsonPath: `.spec.${field}` };
}

const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' };

interface Directions {
  readonly egress: Schema;
  readonly ingress: Schema;
}

function policy({ egress, ingress }: Directions, maxItems: number): Schema {
  const spec = object({ egress: list(egress, { maxItems }), ingress: list(ingress, { maxItems }) });
  return object({ spec }, ['metadata', 'spec']);
}

/** Version 0.2 of the API, which Calico follows since 3.32. */
function clusterNetworkPolicy(): Schema {
  const range = checked(
    object({ start: integer, end: integer }, ['start', 'end']),
    invalid('self.start < self.end', 'start has to be less than end'),
  );
  const protocol = object({ destinationPort: object({ range }) });
  const protocols = list(object({ tcp: protocol, udp: protocol, sctp: protocol }), { maxItems: 25 });
  // Upstream asks isCIDR() in a rule, which Kubernetes 1.30 does not know yet.
  const network = { ...shortText(43), format: 'cidr' };
  const peer = object({ networks: set(network, 25) });
  return policy(
    { egress: object({ protocols, to: list(peer, { maxItems: 25 }) }), ingress: object({ protocols }) },
    25,
  );
}

/** Version 0.1 of the API. */
const adminPolicy: Schema = (() => {
  const protocol = object({ protocol: defaultText('TCP') });
  const port = object({ portNumber: protocol, portRange: protocol, namedPort: text });
  const ports = list(port, { maxItems: 100 });
  const network = checked(
    shortText(43),
    invalid(`self.contains(':') != self.contains('.')`, 'is neither an IPv4 nor an IPv6 network'),
  );
  const peer = object({ networks: set(network, 25), nodes: anything });
  const egress = checked(
    object({ ports, to: list(peer, { maxItems: 100 }) }, ['to']),
    invalid(
      '!(self.to.exists(peer, has(peer.networks) || has(peer.nodes)) && ' +
        'has(self.ports) && self.ports.exists(port, has(port.namedPort)))',
      'networks and nodes have no named ports',
    ),
  );
  return policy({ egress, ingress: object({ ports }) }, 100);
})();

const shared = { group, scope: 'Cluster', hasStatus: true } as const;

const version1 = { ...shared, version: 'v1alpha1', annotations: annotations(30, 'v0.1.1', 'experimental') } as const;

/** Kinds of the Network Policy API by the line of Calico that brings them. */
export const policyDefinitions: Readonly<Record<CalicoLine, readonly DefinitionRow[]>> = {
  'v3.31': [
    {
      ...version1,
      kind: 'AdminNetworkPolicy',
      shortName: 'anp',
      columns: [column('priority'), age],
      schema: adminPolicy,
    },
    {
      ...version1,
      kind: 'BaselineAdminNetworkPolicy',
      shortName: 'banp',
      columns: [age],
      schema: checked(adminPolicy, invalid("self.metadata.name == 'default'", 'has to be named default')),
    },
  ],
  'v3.32': [
    {
      ...shared,
      version: 'v1alpha2',
      kind: 'ClusterNetworkPolicy',
      annotations: annotations(347, 'v0.2.0', 'standard'),
      shortName: 'cnp',
      columns: [column('tier'), column('priority'), age],
      schema: clusterNetworkPolicy(),
    },
  ],
};
