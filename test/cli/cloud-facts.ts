import type { Facts } from '../../cli/render/facts-file.ts';
import type { SimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';

interface CreatedFor {
  readonly uuid: string;
  readonly stackId: string;
}

/** What the simulated cloud says, by name and by id, with what a create of the cluster has made in it. */
export function factsOf({ state, authUrl }: SimulatedOpenStack, { uuid, stackId }: CreatedFor): Facts {
  const credential = state.applicationCredentials.find(({ name }) => name.startsWith(uuid));
  const groups = state.serverGroups.filter(({ name }) => name === stackId || name.startsWith(`${stackId}-`));
  const controlPlane = groups.find(({ name }) => name === stackId);
  const external = state.networks.find(({ external }) => external);
  if (credential === undefined || controlPlane === undefined || external === undefined) {
    throw new Error('The cloud has no credential, server group or external network of the cluster.');
  }
  return {
    auth_url: authUrl,
    public_auth_url: authUrl,
    region: state.region,
    flavors: Object.fromEntries(state.flavors.map(({ name, vcpus, ram, disk }) => [name, { name, vcpus, ram, disk }])),
    images: Object.fromEntries(
      state.images.map(({ id, name, properties }) => [name, { id, disk_bus: properties['hw_disk_bus'] ?? '' }]),
    ),
    external_network_id: external.id,
    fixed_network_id: null,
    fixed_subnet_id: null,
    default_volume_type: state.defaultVolumeType ?? '',
    volume_types: state.volumeTypes.map(({ name }) => name),
    share_types: [],
    server_groups: {
      control_plane: controlPlane.id,
      workers: Object.fromEntries(
        groups.filter((group) => group !== controlPlane).map(({ name, id }) => [name.slice(stackId.length + 1), id]),
      ),
    },
    application_credential: { id: credential.id, secret: credential.secret },
  };
}
