import type { Feature } from './feature.ts';
import { addTemplate } from './json-patch.ts';
import { spec } from './paths.ts';
import { infrastructureCluster } from './selectors.ts';
import { expression, type Template, when } from './template.ts';
import { optional, optionalText, requiredText } from './variable.ts';

/**
 * The cluster's networks. A subnet without its network is refused before it comes here; the class writes it none the less,
 * because clusters of the original may have it and CAPO refuses to drop it (original-facts §1.5, §3.3).
 */
export const networks: Feature = {
  variables: [
    requiredText('externalNetworkId', 'Id of the network with floating IPs.'),
    optionalText('fixedNetworkId', "Id of an existing network for the machines; '' makes one."),
    optionalText('fixedSubnetId', 'Id of a subnet of the existing network.'),
    optional('nodeCidr', { type: 'string', description: 'CIDR of a subnet that is made.', default: '10.0.0.0/24' }),
    optional('dnsNameservers', {
      type: 'array',
      description: 'Name servers of a subnet that is made.',
      items: { type: 'string' },
      default: [],
    }),
  ],
  patches: [
    networkPatch('externalNetworkId', undefined, 'externalNetwork', { id: expression('.externalNetworkId') }),
    networkPatch('newNetworkConfig', '{{ eq .fixedNetworkId "" }}', 'managedSubnets', [
      {
        cidr: expression('.nodeCidr'),
        dnsNameservers: when('ne (join "" .dnsNameservers) ""', expression('.dnsNameservers | compact')),
      },
    ]),
    networkPatch('existingFixedNetworkIdConfig', '{{ ne .fixedNetworkId "" }}', 'network', {
      id: expression('.fixedNetworkId'),
    }),
    networkPatch('existingFixedSubnetIdConfig', '{{ ne .fixedSubnetId "" }}', 'subnets', [
      { id: expression('.fixedSubnetId') },
    ]),
  ],
};

function networkPatch(name: string, enabledIf: string | undefined, field: string, value: Template) {
  const definitions = [{ selector: infrastructureCluster, jsonPatches: [addTemplate(`${spec}/${field}`, value)] }];
  return enabledIf === undefined ? { name, definitions } : { name, enabledIf, definitions };
}
