import type { Flavor } from '../openstack/state.ts';
import { type CapoContext, isPaused, ownerCluster } from './capo-context.ts';
import type { MachineSpec } from './infrastructure-objects.ts';
import { saveDraft } from './object-draft.ts';

/** Says what a machine of the template has, from which the autoscaler can scale a group up from zero
 * (controllers/openstackmachinetemplate_controller.go). Templates of a ClusterClass are left alone. */
export async function reconcileMachineTemplate(context: CapoContext, key: string): Promise<undefined> {
  const store = context.stores.openStackMachineTemplate;
  const before = store.get(key);
  if (before === undefined || before.metadata.deletionTimestamp !== undefined) return;
  const cluster = ownerCluster(context, before);
  if (cluster === undefined || isPaused(cluster, before)) return;
  const { spec } = before.spec.template;
  const { flavors, images } = context.state;
  const flavor = flavors.find(({ id, name }) =>
    spec.flavorID === undefined ? name === spec.flavor : id === spec.flavorID,
  );
  if (flavor === undefined) throw new Error(`no flavors were found: name=${spec.flavor}`);
  const draft = structuredClone(before);
  draft.status = { ...draft.status, capacity: { ...draft.status?.capacity, ...capacity(flavor, spec) } };
  const { id, filter } = spec.image;
  const image = images.find((candidate) => (id === undefined ? candidate.name === filter?.name : candidate.id === id));
  const operatingSystem = image?.properties['os_type'];
  if (operatingSystem !== undefined) draft.status.nodeInfo = { operatingSystem };
  await saveDraft(context, store, { before, draft });
}

/** In Kubernetes' canonical quantities: GiB where they come out even, as sizes of flavors do. */
function capacity({ vcpus, ram, disk, ephemeral = 0 }: Flavor, { rootVolume }: MachineSpec): Record<string, string> {
  const storage = rootVolume?.sizeGiB ?? disk;
  return {
    ...(vcpus > 0 ? { cpu: String(vcpus) } : {}),
    ...(ram > 0 ? { memory: ram % 1024 === 0 ? gibibytes(ram / 1024) : `${ram}Mi` } : {}),
    ...(ephemeral > 0 ? { 'ephemeral-storage': gibibytes(ephemeral) } : {}),
    ...(storage > 0 ? { storage: gibibytes(storage) } : {}),
  };
}

function gibibytes(size: number): string {
  return size % 1024 === 0 ? `${size / 1024}Ti` : `${size}Gi`;
}
