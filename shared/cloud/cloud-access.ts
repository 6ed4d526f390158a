import { type CatalogService, hasService, type Session } from 'openstack-client-ts';
import { RejectedError } from '../contract/errors.ts';
import type { MagnumSnapshot } from '../magnum/snapshot.ts';
import { askCloud } from './cloud-faults.ts';

/** How the cloud is reached: Magnum's options, with the content of the files that they name. */
export interface CloudAccess {
  /** Keystone's URL. */
  readonly authUrl: string;
  /** null = the only region of the catalogue. */
  readonly region: string | null;
  /** Interface of the catalogue: public, internal or admin. */
  readonly endpointType: string;
  readonly verify: boolean;
  /** PEM; null = the system's authorities. */
  readonly caCertificate: string | null;
}

/** `[capi_client]` says how the management side reaches the cloud (seed §6); its authority defaults to that of `[drivers]`. */
export function cloudAccess(authUrl: string, options: MagnumSnapshot['options']): CloudAccess {
  const { capi_client, cinder_client, drivers } = options;
  return {
    authUrl,
    region: cinder_client.region_name || null,
    endpointType: capi_client.endpoint_type.replace(/URL$/, ''),
    verify: !capi_client.insecure,
    caCertificate: capi_client.ca_file || drivers.openstack_ca_file || null,
  };
}

/** How CAPO and the workload reach the cloud: by the catalogue's address of Keystone, in a region that is certain. */
export async function clusterAccess(
  session: Session,
  catalog: readonly CatalogService[],
  access: CloudAccess,
): Promise<CloudAccess & { readonly region: string }> {
  const authUrl = hasService(catalog, 'identity') ? await askCloud(() => session.endpoint('identity')) : access.authUrl;
  return { ...access, authUrl, region: clusterRegion(access.region, catalog) };
}

/** @throws RejectedError where neither the option nor the catalogue names one region */
export function clusterRegion(option: string | null, catalog: readonly CatalogService[]): string {
  const named = catalog.flatMap(({ endpoints }) => endpoints.flatMap((one) => one.region ?? []));
  const [region, ...others] = new Set(named);
  if (option !== null) return option;
  if (region !== undefined && others.length === 0) return region;
  throw new RejectedError([
    {
      code: 'invalid_field',
      message: `Magnum's option [cinder_client] region_name is not set, and the cloud has ${region === undefined ? 'no region' : 'several regions'}.`,
      field: 'options.cinder_client.region_name',
    },
  ]);
}
