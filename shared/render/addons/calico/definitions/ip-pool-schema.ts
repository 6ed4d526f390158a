import { checked, forbidden, invalid } from '../../custom-resources/checks.ts';
import { defaultText, integer, object, oneOf, type Schema, set, shortText } from '../../custom-resources/schema.ts';

const encapsulation = oneOf('Never', 'Always', 'CrossSubnet');
const usedFor = (use: string) => `(has(self.allowedUses) && '${use}' in self.allowedUses)`;
const encapsulated = (mode: 'ipip' | 'vxlan') => `(has(self.${mode}Mode) && self.${mode}Mode != 'Never')`;

function unchanging(schema: Schema): Schema {
  return checked(schema, invalid('self == oldSelf', 'never changes: make another pool and move to it'));
}

export const ipPool = checked(
  object(
    {
      allowedUses: set(oneOf('Workload', 'Tunnel', 'LoadBalancer'), 10),
      assignmentMode: defaultText('Automatic'),
      blockSize: unchanging(integer),
      cidr: unchanging(shortText(48)),
      ipipMode: encapsulation,
      vxlanMode: encapsulation,
    },
    ['cidr'],
  ),
  forbidden(`!(${encapsulated('ipip')} && ${encapsulated('vxlan')})`, 'ipipMode and vxlanMode exclude each other'),
  forbidden(
    `!(${usedFor('LoadBalancer')} && (${encapsulated('ipip')} || ${encapsulated('vxlan')}))`,
    'a pool for LoadBalancer has neither IPIP nor VXLAN',
  ),
  forbidden(
    `!(${usedFor('LoadBalancer')} && (${usedFor('Workload')} || ${usedFor('Tunnel')}))`,
    'a pool for LoadBalancer has no other use',
  ),
  forbidden(`!(self.cidr.contains(':') && ${encapsulated('ipip')})`, 'IPIP is for IPv4 only'),
);
