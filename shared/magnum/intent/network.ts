import type { NetworkIntent } from '../cluster-intent.ts';
import type { LabelName } from '../label-catalogue.ts';
import type { ClusterReading } from '../reading/snapshot-reading.ts';
import { overlap } from '../syntax/cidr.ts';
import type { CniKind } from '../syntax/cni-release.ts';
import { listOf } from '../syntax/scalar.ts';
import { ipAddress } from '../syntax/text-format.ts';

const addresses = listOf(ipAddress);

export function networkIntent(reading: ClusterReading, cni: CniKind): NetworkIntent {
  const { cluster, template, labels } = reading;
  const fixedNetwork = cluster.text('fixed_network');
  const podLabel = cni === 'calico' ? 'calico_ipv4pool' : 'cilium_ipv4pool';
  const intent = {
    externalNetwork: template.text('external_network_id') ?? template.missing('external_network_id'),
    fixedNetwork,
    fixedSubnet: fixedSubnet(reading, fixedNetwork),
    nodeCidr: labels.read('fixed_subnet_cidr'),
    dnsNameservers: template.read('dns_nameserver', addresses) ?? [],
    podCidr: labels.read(podLabel),
    serviceCidr: labels.read('service_cluster_ip_range'),
    serviceDomain: labels.read('dns_cluster_domain'),
  };
  checkOverlaps(reading, [
    [podLabel, intent.podCidr],
    ['service_cluster_ip_range', intent.serviceCidr],
    // With a network of the user's own, the label names no network.
    ...(fixedNetwork === null ? [['fixed_subnet_cidr', intent.nodeCidr] as const] : []),
  ]);
  return intent;
}

/** CAPO would ignore a subnet without its network, and make a new network (original-facts §1.5). */
function fixedSubnet({ cluster, faults, existing }: ClusterReading, fixedNetwork: string | null): string | null {
  const subnet = cluster.text('fixed_subnet');
  if (subnet === null || fixedNetwork !== null) return subnet;
  faults.addOrNote(cluster.subject('fixed_subnet'), existing, {
    problem: ' is set although fixed_network is not',
    instead: 'the subnet is not used',
    hint: 'Give the network of the subnet with --fixed-network.',
  });
  return null;
}

type NamedCidr = readonly [label: LabelName, cidr: string];

function checkOverlaps({ labels, faults, existing }: ClusterReading, cidrs: readonly NamedCidr[]): void {
  for (const [index, [label, cidr]] of cidrs.entries()) {
    const others = cidrs.slice(index + 1).filter(([, other]) => overlap(cidr, other));
    for (const [otherLabel, other] of others) {
      faults.addOrNote(labels.subject(label), existing, {
        problem: `: ${cidr} overlaps ${other} of ${otherLabel}`,
        instead: 'the networks stay as they are',
      });
    }
  }
}
