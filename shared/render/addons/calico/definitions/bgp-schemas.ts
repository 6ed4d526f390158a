import { checked, forbidden, given, invalid } from '../../custom-resources/checks.ts';
import {
  anything,
  defaultText,
  flag,
  integer,
  list,
  object,
  oneOf,
  shortText,
  text,
} from '../../custom-resources/schema.ts';

export const password = object({ secretKeyRef: object({ name: defaultText('') }) });
export const serviceLoadBalancerAggregation = defaultText('Enabled');

const meshIsOff = 'has(self.nodeToNodeMeshEnabled) && !self.nodeToNodeMeshEnabled';

export const bgpConfiguration = checked(
  object({
    logSeverityScreen: defaultText('Info'),
    nodeMeshMaxRestartTime: text,
    nodeMeshPassword: password,
    nodeToNodeMeshEnabled: flag,
    serviceLoadBalancerAggregation,
  }),
  ...['nodeMeshPassword', 'nodeMeshMaxRestartTime'].map((field) =>
    forbidden(`!(has(self.${field}) && ${meshIsOff})`, `${field} has no use while nodeToNodeMeshEnabled is false`),
  ),
);

export const filterRule = checked(
  object(
    {
      action: oneOf('Accept', 'Reject'),
      cidr: shortText(43),
      matchOperator: oneOf('Equal', 'NotEqual', 'In', 'NotIn'),
      operations: list(anything, { maxItems: 10 }),
      prefixLength: anything,
    },
    ['action'],
  ),
  invalid(`${given('cidr')} == ${given('matchOperator')}`, 'cidr and matchOperator go together'),
  invalid(`!has(self.prefixLength) || ${given('cidr')}`, 'prefixLength needs a cidr'),
  invalid(`!${given('operations')} || self.action == 'Accept'`, 'operations need the action Accept'),
);

const selector = shortText(4096);
const numbered = '(has(self.asNumber) && self.asNumber != 0)';

function notBoth(one: string, other: string) {
  return forbidden(`!(${given(one)} && ${given(other)})`, `${one} and ${other} exclude each other`);
}

export const bgpPeer = checked(
  object({
    asNumber: integer,
    localWorkloadSelector: selector,
    node: shortText(253),
    nodeSelector: selector,
    password,
    peerIP: shortText(64),
    peerSelector: selector,
  }),
  notBoth('node', 'nodeSelector'),
  notBoth('peerIP', 'peerSelector'),
  notBoth('peerIP', 'localWorkloadSelector'),
  notBoth('peerSelector', 'localWorkloadSelector'),
  forbidden(`!(${given('peerSelector')} && ${numbered})`, 'peerSelector and asNumber exclude each other'),
  invalid(`!${given('localWorkloadSelector')} || ${numbered}`, 'localWorkloadSelector needs an asNumber'),
);
