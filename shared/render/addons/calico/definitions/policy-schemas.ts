import { checked, forbidden, given, invalid } from '../../custom-resources/checks.ts';
import {
  anything,
  defaultText,
  flag,
  integer,
  integerOrText,
  list,
  object,
  oneOf,
  type Schema,
  set,
} from '../../custom-resources/schema.ts';

const icmp = checked(
  object({ code: integer, type: integer }),
  invalid('!has(self.code) || has(self.type)', 'an ICMP code needs a type'),
);

const ports = list(integerOrText);

const policyRule = checked(
  object(
    {
      action: oneOf('Allow', 'Deny', 'Log', 'Pass'),
      destination: object({ notPorts: ports, ports, services: anything }),
      http: anything,
      icmp,
      notICMP: icmp,
      protocol: integerOrText,
    },
    ['action'],
  ),
  invalid(
    "!has(self.http) || !has(self.protocol) || self.protocol == 'TCP' || self.protocol == 6",
    'an HTTP match needs protocol TCP or none',
  ),
  forbidden("!has(self.http) || self.action == 'Allow'", 'an HTTP match needs the action Allow'),
  forbidden(
    `!(has(self.destination) && has(self.destination.services) && ` +
      `(${given('destination.ports')} || ${given('destination.notPorts')}))`,
    'services have their own ports',
  ),
);

type Properties = Readonly<Record<string, Schema>>;

const common: Properties = { egress: list(policyRule), ingress: list(policyRule), tier: defaultText('default') };

/** What policies have that only say what they would do. */
export const staged: Properties = { stagedAction: defaultText('Set') };

export function namespacedPolicy(more: Properties): Schema {
  return object({ ...common, ...more });
}

const isTrue = (field: string) => `(has(self.${field}) && self.${field})`;

export function globalPolicy(more: Properties): Schema {
  return checked(
    object({
      ...common,
      ...more,
      applyOnForward: flag,
      doNotTrack: flag,
      preDNAT: flag,
      types: set(oneOf('Ingress', 'Egress'), 2),
    }),
    forbidden(`!(${isTrue('preDNAT')} && ${isTrue('doNotTrack')})`, 'preDNAT and doNotTrack exclude each other'),
    forbidden(`!(${isTrue('preDNAT')} && ${given('egress')})`, 'with preDNAT there is no egress'),
    forbidden(
      `!(${isTrue('preDNAT')} && has(self.types) && 'Egress' in self.types)`,
      'with preDNAT there is no type Egress',
    ),
    invalid(
      `${isTrue('applyOnForward')} || !(${isTrue('preDNAT')} || ${isTrue('doNotTrack')})`,
      'preDNAT and doNotTrack need applyOnForward',
    ),
  );
}
