import {
  defaultVolumeType,
  hasService,
  listShareTypes,
  listVolumeTypes,
  OpenStackError,
  type Session,
} from 'openstack-client-ts';
import type { ClusterIntent } from '../magnum/cluster-intent.ts';
import type { CloudServices } from '../render/addons/addon.ts';
import { toFault } from './cloud-faults.ts';

/** What the cloud has for the add-ons, and what could not be found out, one sentence each. */
export interface CloudServicesReading {
  readonly services: CloudServices;
  readonly notes: readonly string[];
}

/**
 * Asks the services that the add-ons of a cluster are for; those whose add-on is turned off are not asked. The catalogue of
 * the session's own token says what there is. A service that refuses its list costs the StorageClasses, not the cluster.
 * @throws DependencyError where asking again may help
 */
export async function readCloudServices(
  session: Session,
  { addons }: Pick<ClusterIntent, 'addons'>,
): Promise<CloudServicesReading> {
  const { catalog } = await session.authentication();
  const notes: string[] = [];
  const names = (what: string, list: () => Promise<readonly { readonly name: string }[]>) =>
    listNames(list, (message) => notes.push(`${what} get no StorageClass: ${message}`));
  const hasCinder = addons.cinderCsi.enabled && hasService(catalog, 'block-storage');
  const hasManila = addons.manilaCsi.enabled && hasService(catalog, 'shared-file-system');
  // Only their StorageClasses need the share types, and those need a share network.
  const needsShareTypes = hasManila && addons.manilaCsi.shareNetworkId !== null;
  const [volumeTypes, byDefault, shareTypes] = await Promise.all([
    hasCinder ? names('Volume types', () => listVolumeTypes(session)) : null,
    hasCinder ? defaultName(session) : null,
    needsShareTypes ? names('Share types', () => listShareTypes(session)) : [],
  ]);
  const services = { volumeTypes, defaultVolumeType: byDefault, shareTypes: hasManila ? shareTypes : null };
  return { services, notes };
}

async function listNames(
  list: () => Promise<readonly { readonly name: string }[]>,
  refused: (message: string) => void,
): Promise<readonly string[]> {
  try {
    return (await list()).map(({ name }) => name);
  } catch (error) {
    refused(toFault(error, null).message);
    return [];
  }
}

/** Cinder answers 500 where its configuration names a type that does not exist, which no user can mend: then it has none. */
async function defaultName(session: Session): Promise<string | null> {
  try {
    return (await defaultVolumeType(session))?.name ?? null;
  } catch (error) {
    if (error instanceof OpenStackError) return null;
    throw error;
  }
}
