import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { addonManifests } from '../../shared/render/addons/addon-manifests.ts';
import { addonObjects } from '../../shared/render/addons/addon-secrets.ts';
import { cluster } from '../../shared/render/cluster.ts';
import { certificateSecrets } from '../../shared/render/secrets.ts';
import { everyAddon, everyNetwork } from '../addons/every-addon.ts';
import { makeClusterCertificates } from '../functions/cluster-certificates.ts';
import { factsFor, intentOf, readExampleData } from './example-intent.ts';
import type { Measurement } from './measurement.ts';
import { medianOf } from './samples.ts';

const warmUps = 50;
const rounds = 201;

/** From the event's data to every object of the cluster, for the example with the most features and with every add-on. */
export async function measureRender(): Promise<readonly Measurement[]> {
  const certificates = await makeClusterCertificates('bench');
  const data = await readExampleData('cluster-create-full.json');
  return everyNetwork.map((cni) => {
    const render = () => {
      const intent = { ...intentOf(data, certificates), cni };
      return [objectsOf(intent), certificateSecrets('kube-bench', certificates), addonsOf(intent)];
    };
    for (let round = 0; round < warmUps; round += 1) render();
    const durations = Array.from({ length: rounds }, () => timeOf(render));
    const what = `event data → objects of one cluster, all add-ons, ${cni.kind} ${cni.tag}`;
    return { what, ...medianOf(durations), unit: 'ms', budget: 5 };
  });
}

function addonsOf(intent: ClusterIntent) {
  const { addons, apiServer } = everyAddon().intent;
  const input = everyAddon({ ...intent, addons, apiServer });
  return addonObjects({ stackId: 'kube-bench', uuid: intent.uuid }, addonManifests(input));
}

function timeOf(step: () => unknown): number {
  const startedAt = performance.now();
  step();
  return performance.now() - startedAt;
}

/** The Cluster, without its add-ons and Secrets. */
export function objectsOf(intent: ClusterIntent) {
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
