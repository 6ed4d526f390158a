import { findNetwork, findSubnet, getKeypair, type Session } from 'openstack-client-ts';
import type { ClusterIntent, NetworkIntent } from '../magnum/cluster-intent.ts';
import type { CloudFacts } from '../render/cloud-facts.ts';
import { collectFaults, type FaultCollector } from './cloud-faults.ts';
import { controlPlaneNeeds, nodegroupNeeds, resolveNodeFacts } from './node-facts.ts';

/**
 * Looks up every name of the intent in the cloud; nothing is written.
 * @throws RejectedError with all faults at once, DependencyError
 */
export async function resolveCloudFacts(session: Session, intent: ClusterIntent): Promise<CloudFacts> {
  const faults = collectFaults();
  const [nodes, networks] = await Promise.all([
    resolveNodeFacts(session, [controlPlaneNeeds(intent), ...intent.workers.map(nodegroupNeeds)], faults),
    resolveNetworks(session, intent.network, faults),
    intent.keypair === null ? null : checkKeypair(session, intent.keypair, faults),
  ]);
  faults.throwIfAny();
  return { ...nodes, ...networks };
}

async function resolveNetworks(session: Session, intent: NetworkIntent, faults: FaultCollector) {
  const [external, fixed] = await Promise.all([
    faults.lookUp('cluster_template.external_network_id', () =>
      findNetwork(session, intent.externalNetwork, { external: true }),
    ),
    resolveFixedNetwork(session, intent, faults),
  ]);
  return { externalNetworkId: external?.id ?? '', ...fixed };
}

/** The subnet is looked for within the network: CAPO would ignore one that belongs to another. */
async function resolveFixedNetwork(session: Session, intent: NetworkIntent, faults: FaultCollector) {
  const { fixedNetwork, fixedSubnet } = intent;
  if (fixedNetwork === null) return { fixedNetworkId: null, fixedSubnetId: null };
  const network = await faults.lookUp('cluster.fixed_network', () => findNetwork(session, fixedNetwork));
  if (network === null) return { fixedNetworkId: null, fixedSubnetId: null };
  if (fixedSubnet === null) return { fixedNetworkId: network.id, fixedSubnetId: null };
  const subnet = await faults.lookUp('cluster.fixed_subnet', () =>
    findSubnet(session, fixedSubnet, { networkId: network.id }),
  );
  return { fixedNetworkId: network.id, fixedSubnetId: subnet?.id ?? null };
}

async function checkKeypair(session: Session, name: string, faults: FaultCollector): Promise<void> {
  await faults.lookUp('cluster.keypair', () => getKeypair(session, name));
}
