import { createdCluster, createdSecrets } from '../../functions/create/created-objects.ts';
import { cloudAccess } from '../../shared/cloud/cloud-access.ts';
import { workloadTrust } from '../../shared/cloud/workload-access.ts';
import { type Fault, RejectedError } from '../../shared/contract/errors.ts';
import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import { stackId } from '../../shared/magnum/stack-id.ts';
import { toClusterIntent } from '../../shared/magnum/to-cluster-intent.ts';
import { addonOptions } from '../../shared/operation/cluster-addons.ts';
import { autoscalerFacts } from '../../shared/render/addons/cluster-autoscaler/autoscaler-facts.ts';
import { autoscalerDeployment } from '../../shared/render/addons/cluster-autoscaler/deployment.ts';
import type { Cluster } from '../../shared/render/cluster.ts';
import { clusterClassSet } from '../../shared/render/cluster-class/cluster-class-set.ts';
import { completeFacts } from './assumed-facts.ts';
import type { CreateRequest } from './create-request.ts';
import type { Facts, GivenFacts } from './facts-file.ts';

/** What a create would write. */
export interface Rendering {
  /** In the order in which they are written. */
  readonly objects: readonly KubernetesObject[];
  /** What the user would be told, one sentence each. */
  readonly notes: readonly string[];
  /** Facts of the cloud that nobody has said. */
  readonly assumed: GivenFacts;
}

interface RenderOptions {
  readonly facts: GivenFacts;
  /** Of the driver; part of the ClusterClass's name. */
  readonly version: string;
}

/** The Cluster has none before it is written. */
const placeholderUid = '00000000-0000-0000-0000-000000000000';

/** Renders by the very rules of the create function; all faults at once. Pure. */
export function renderCreate(
  request: CreateRequest,
  { facts: given, version }: RenderOptions,
): Rendering | { readonly faults: readonly Fault[] } {
  const { data } = request;
  const outcome = toClusterIntent(data);
  const options = collected(() => addonOptions(data.options));
  const faults = [...('faults' in outcome ? outcome.faults : []), ...('faults' in options ? options.faults : [])];
  if ('faults' in outcome || 'faults' in options) return { faults };
  const { intent, notes } = outcome;
  const authUrl = data.context.auth_url;
  const { facts, assumed } = completeFacts(given, { intent, options: data.options, authUrl });
  const classes = clusterClassSet(version);
  const creation = creationOf(request, intent, facts);
  const secrets = collected(() =>
    createdSecrets({ ...creation, credential: creation.credential, addons: options.value }),
  );
  if ('faults' in secrets) return secrets;
  const cluster = createdCluster(creation, classes.name);
  const { cloudConfig, certificates, addons } = secrets.value;
  const before = [cloudConfig, ...certificates, ...addons.secrets, addons.set, ...classes.objects];
  return { objects: [...before, cluster, ...autoscalerOf(cluster)], notes, assumed };
}

function creationOf(event: CreateRequest, intent: ClusterIntent, facts: Facts) {
  const { id, secret } = facts.application_credential;
  const { options, context } = event.data;
  return {
    event,
    intent,
    stackId: intent.stackId ?? stackId(intent.uuid, 0),
    plan: {
      facts: cloudFacts(facts),
      access: { ...cloudAccess(context.auth_url, options), authUrl: facts.auth_url, region: facts.region },
      workload: { ...workloadTrust(options), authUrl: facts.public_auth_url, region: facts.region },
      services: cloudServices(facts, intent),
    },
    serverGroups: { controlPlane: facts.server_groups.control_plane, workers: facts.server_groups.workers },
    credential: { applicationCredentialId: id, applicationCredentialSecret: secret },
  };
}

function cloudFacts(facts: Facts) {
  return {
    flavors: Object.fromEntries(
      Object.entries(facts.flavors).map(([asked, { name = asked, vcpus, ram, disk }]) => [
        asked,
        { name, vcpus, ram, disk },
      ]),
    ),
    images: Object.fromEntries(
      Object.entries(facts.images).map(([asked, { id, disk_bus: diskBus }]) => [asked, { id, diskBus }]),
    ),
    defaultVolumeType: facts.default_volume_type,
    externalNetworkId: facts.external_network_id,
    fixedNetworkId: facts.fixed_network_id,
    fixedSubnetId: facts.fixed_subnet_id,
  };
}

/** Of a service whose add-on is turned off, the function does not ask either. */
function cloudServices(facts: Facts, { addons }: ClusterIntent) {
  const hasCinder = addons.cinderCsi.enabled;
  return {
    volumeTypes: hasCinder ? facts.volume_types : null,
    defaultVolumeType: hasCinder ? facts.default_volume_type || null : null,
    shareTypes: addons.manilaCsi.enabled ? facts.share_types : null,
  };
}

/** The function makes it from the Cluster as it is stored. */
function autoscalerOf(cluster: Cluster): readonly KubernetesObject[] {
  const facts = autoscalerFacts({ ...cluster, metadata: { ...cluster.metadata, uid: placeholderUid } });
  return facts?.isAutoscaled ? [autoscalerDeployment(facts)] : [];
}

function collected<T>(work: () => T): { readonly value: T } | { readonly faults: readonly Fault[] } {
  try {
    return { value: work() };
  } catch (error) {
    if (error instanceof RejectedError) return { faults: error.faults };
    throw error;
  }
}
