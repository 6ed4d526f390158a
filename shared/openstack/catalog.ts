import { ServiceMissingError } from './errors.ts';

export type EndpointInterface = 'public' | 'internal' | 'admin';

export interface CatalogEndpoint {
  readonly interface: string;
  readonly region: string | null;
  readonly url: string;
}

export interface CatalogService {
  readonly type: string;
  readonly endpoints: readonly CatalogEndpoint[];
}

/**
 * Names of a service in catalogues, the preferred first (OpenStack service types authority, and `loadbalancer` as some
 * clouds write it). `volumev2` is left out: that API is not the one that the client speaks.
 */
const aliases: Readonly<Record<string, readonly string[]>> = {
  'block-storage': ['block-storage', 'volumev3', 'block-store', 'volume'],
  'container-infrastructure-management': [
    'container-infrastructure-management',
    'container-infrastructure',
    'container-infra',
  ],
  'load-balancer': ['load-balancer', 'loadbalancer'],
  'shared-file-system': ['shared-file-system', 'sharev2', 'share'],
};

/** The official service type for a type or an alias of it, as `block-storage` for `volumev3`. */
export function officialType(type: string): string {
  return Object.keys(aliases).find((official) => aliases[official]?.includes(type)) ?? type;
}

function servicesOf(catalog: readonly CatalogService[], type: string): readonly CatalogService[] {
  const official = officialType(type);
  const names = aliases[official] ?? [official];
  return names.flatMap((name) => catalog.filter((service) => service.type === name));
}

/** Whether the catalogue has a service, by its official type or any alias of it. */
export function hasService(catalog: readonly CatalogService[], type: string): boolean {
  return servicesOf(catalog, type).some((service) => service.endpoints.length > 0);
}

export interface EndpointChoice {
  /** As `public` or `publicURL`. */
  readonly interface: string;
  readonly region: string | undefined;
}

/** The URL of a service, as the catalogue has it. @throws ServiceMissingError */
export function endpointUrl(catalog: readonly CatalogService[], type: string, choice: EndpointChoice): string {
  const wanted = choice.interface.replace(/URL$/, '');
  const endpoint = servicesOf(catalog, type)
    .flatMap((service) => service.endpoints)
    .find(({ interface: offered, region }) => {
      return offered.replace(/URL$/, '') === wanted && (choice.region === undefined || region === choice.region);
    });
  if (endpoint !== undefined) return endpoint.url;
  const service = officialType(type);
  const where = choice.region === undefined ? '' : ` in region ${JSON.stringify(choice.region)}`;
  throw new ServiceMissingError(`The cloud's catalogue has no ${wanted} endpoint of the service ${service}${where}.`, {
    service,
  });
}

/** Version path of each API for catalogues that give only the root, as Neutron's and Glance's usually do. */
const versionPaths: Readonly<Record<string, string>> = {
  'block-storage': 'v3',
  compute: 'v2.1',
  image: 'v2',
  'load-balancer': 'v2',
  network: 'v2.0',
  'shared-file-system': 'v2',
};

/** An endpoint with its version path and without a final slash. */
export function versionedUrl(url: string, service: string): string {
  const parts = url.split('/');
  while (parts.at(-1) === '') parts.pop();
  const path = versionPaths[officialType(service)];
  if (path === undefined || parts.some(isVersion)) return parts.join('/');
  return [...parts, path].join('/');
}

/** The root of one version, without a project id behind it: where its version document is. */
export function versionRoot(versioned: string): { readonly url: string; readonly id: string } {
  const parts = versioned.split('/');
  const last = parts.findLastIndex(isVersion);
  return { url: `${parts.slice(0, last + 1).join('/')}/`, id: parts[last] ?? '' };
}

function isVersion(segment: string): boolean {
  return /^v\d+(\.\d+)?$/.test(segment);
}
