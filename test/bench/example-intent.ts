import { randomUUID } from 'node:crypto';
import { eventTypes } from '../../shared/contract/event-types.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { toClusterIntent } from '../../shared/magnum/to-cluster-intent.ts';
import type { CloudFacts } from '../../shared/render/cloud-facts.ts';
import type { ClusterCertificates } from '../functions/cluster-certificates.ts';
import { type ExampleEvent, readExample } from '../functions/example-event.ts';

type ExampleData = ExampleEvent['data'];

const { schema } = eventTypes['org.openstack.magnum.cluster.create.v1'];

/** What a create event of `examples/` asks for. */
export async function readExampleData(name: string): Promise<ExampleData> {
  return (await readExample(name)).data;
}

/** The example's rows of one node each, its worker once for each of the names. */
export function nodegroupRows({ nodegroups }: ExampleData, names: readonly string[]): ExampleData['nodegroups'] {
  return nodegroups.flatMap((row) => {
    if (row['role'] !== 'worker') return [{ ...row, node_count: 1 }];
    return names.map((name, index) => ({ ...row, name, uuid: randomUUID(), is_default: index === 0, node_count: 1 }));
  });
}

/** Names of as many nodegroups as are wanted. */
export function nodegroupNames(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `pool-${index + 1}`);
}

/** @throws Error with every fault of the data */
export function intentOf(data: ExampleData, certificates: ClusterCertificates): ClusterIntent {
  const outcome = toClusterIntent(
    schema.parse({ ...data, context: { ...data.context, token: 'bench' }, certificates }),
  );
  if ('faults' in outcome) throw new Error(outcome.faults.map(({ message }) => message).join(' '));
  return outcome.intent;
}

/** What a cloud would say about everything that the intent names. */
export function factsFor({ controlPlane, workers }: ClusterIntent): CloudFacts {
  const groups = [controlPlane, ...workers];
  return {
    flavors: Object.fromEntries(groups.map(({ flavor }) => [flavor, { name: flavor, vcpus: 2, ram: 4096, disk: 40 }])),
    images: Object.fromEntries(groups.map(({ image }) => [image, { id: image, diskBus: '' }])),
    defaultVolumeType: 'ssd',
    externalNetworkId: 'external',
    fixedNetworkId: null,
    fixedSubnetId: null,
  };
}
