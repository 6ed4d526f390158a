import { checked, forbidden, given, invalid } from '../../custom-resources/checks.ts';
import { anything, defaultText, list, object, shortText, text } from '../../custom-resources/schema.ts';

/** Settings of the agent on every node. */
export const felixConfiguration = checked(
  object({
    spec: checked(
      object({
        nftablesMode: defaultText('Auto'),
        nodeSelector: shortText(1024),
        routeTableRange: anything,
        routeTableRanges: list(anything),
      }),
      forbidden(
        '!(has(self.routeTableRange) && has(self.routeTableRanges))',
        'routeTableRange and routeTableRanges exclude each other',
      ),
    ),
  }),
  forbidden(
    "!(self.metadata.name == 'default' || self.metadata.name.startsWith('node.')) || !has(self.spec.nodeSelector)",
    'nodeSelector has no use where the name says which nodes are meant',
  ),
);

/** Interfaces of a node that the agent guards. */
export const hostEndpoint = checked(
  object({ expectedIPs: list(text, { 'x-kubernetes-list-type': 'set' }), interfaceName: text, node: text }),
  invalid(`${given('interfaceName')} || ${given('expectedIPs')}`, 'needs an interfaceName or expectedIPs'),
  invalid(given('node'), 'needs a node'),
);
