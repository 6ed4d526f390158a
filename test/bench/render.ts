import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { cluster } from '../../shared/render/cluster.ts';
import { certificateSecrets } from '../../shared/render/secrets.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { factsFor, intentOf, readExampleData } from './example-intent.ts';
import { type Measurement, median } from './measurement.ts';

const warmUps = 50;
const rounds = 201;

/** From the event's data to every object of the cluster, for the example with the most features. */
export async function measureRender(): Promise<Measurement> {
  const certificates = await makeClusterCertificates('bench');
  const data = await readExampleData('cluster-create-full.json');
  const render = () => [objectsOf(intentOf(data, certificates)), certificateSecrets('kube-bench', certificates)];
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
