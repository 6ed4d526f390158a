import type { ClusterIntent } from '../../shared/magnum/cluster-intent.ts';
import type { MagnumSnapshot } from '../../shared/magnum/snapshot.ts';
import { type Facts, factsFile, type GivenFacts } from './facts-file.ts';

/** Stands where only the cloud knows an id. */
const placeholderId = '00000000-0000-0000-0000-000000000000';
/** Cinder's own name of the type that it has from the start. */
const cinderDefaultType = '__DEFAULT__';
const flavor = { vcpus: 2, ram: 4096, disk: 40 };

interface Question {
  readonly intent: ClusterIntent;
  readonly options: MagnumSnapshot['options'];
  /** Keystone's URL, as Magnum knows it. */
  readonly authUrl: string;
}

interface CompleteFacts {
  readonly facts: Facts;
  /** What of them nobody has said and the request needs. */
  readonly assumed: GivenFacts;
}

/** Fills up what a facts file leaves out by what is usual. */
export function completeFacts(given: GivenFacts, { intent, options, authUrl }: Question): CompleteFacts {
  const { controlPlane, workers, network } = intent;
  const groups = [controlPlane, ...workers];
  const usual: Facts = {
    auth_url: authUrl,
    public_auth_url: given.auth_url ?? authUrl,
    region: options.cinder_client.region_name || 'RegionOne',
    flavors: Object.fromEntries(groups.map((group) => [group.flavor, flavor])),
    images: Object.fromEntries(groups.map((group) => [group.image, { id: group.image, disk_bus: '' }])),
    external_network_id: network.externalNetwork,
    fixed_network_id: network.fixedNetwork,
    fixed_subnet_id: network.fixedSubnet,
    default_volume_type: cinderDefaultType,
    volume_types: [given.default_volume_type || cinderDefaultType],
    share_types: null,
    server_groups: {
      control_plane: placeholderId,
      workers: Object.fromEntries(workers.map(({ name }) => [name, placeholderId])),
    },
    application_credential: { id: placeholderId, secret: 'placeholder' },
  };
  const facts = factsFile.parse({
    ...usual,
    ...given,
    flavors: { ...usual.flavors, ...given.flavors },
    images: { ...usual.images, ...given.images },
  });
  return { facts, assumed: unsaid(usual, given) };
}

function unsaid(usual: Facts, given: GivenFacts): GivenFacts {
  const others = Object.fromEntries(Object.entries(usual).filter(([key]) => !Object.hasOwn(given, key)));
  return { ...others, ...unnamed('flavors', usual.flavors, given), ...unnamed('images', usual.images, given) };
}

/** The entries of a map of facts that are not given; nothing where all are. */
function unnamed<Key extends 'flavors' | 'images'>(key: Key, usual: Facts[Key], given: GivenFacts): object {
  const missing = Object.entries(usual).filter(([name]) => !Object.hasOwn(given[key] ?? {}, name));
  return missing.length === 0 ? {} : { [key]: Object.fromEntries(missing) };
}
