import { eventTypes } from '../../shared/contract/event-types.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { toClusterIntent } from '../../shared/magnum/to-cluster-intent.ts';
import type { CloudFacts } from '../../shared/render/cloud-facts.ts';
import { cluster } from '../../shared/render/cluster.ts';
import { certificateSecrets } from '../../shared/render/secrets.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { readExample } from '../functions/example-event.ts';
import { type Measurement, median } from './measurement.ts';

const warmUps = 50;
const rounds = 201;

/** From the event's data to every object of the cluster, for the example with the most features. */
export async function measureRender(): Promise<Measurement> {
  const certificates = await makeClusterCertificates('bench');
  const { data } = await readExample('cluster-create-full.json');
  const context = { ...data.context, token: 'bench' };
  const schema = eventTypes['org.openstack.magnum.cluster.create.v1'].schema;
  const render = () => {
    const request = schema.parse({ ...data, context, certificates });
    const outcome = toClusterIntent(request);
    if ('faults' in outcome) throw new Error(outcome.faults.map(({ message }) => message).join(' '));
    return [objectsOf(outcome.intent), certificateSecrets('kube-bench', certificates)];
  };
  for (let round = 0; round < warmUps; round += 1) render();
  const durations = Array.from({ length: rounds }, () => timeOf(render));
  return { what: 'event data → objects of one cluster', value: median(durations), unit: 'ms', budget: 5 };
}

function timeOf(step: () => unknown): number {
  const startedAt = performance.now();
  step();
  return performance.now() - startedAt;
}

function objectsOf(intent: ClusterIntent) {
  return cluster({
    stackId: 'kube-bench',
    className: 'magnum-bench',
    intent,
    facts: factsFor(intent),
    serverGroups: { controlPlane: 'group', workers: {} },
    annotations: {},
    live: null,
  });
}

function factsFor({ controlPlane, workers }: ClusterIntent): CloudFacts {
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
