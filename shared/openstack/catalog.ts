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

/** Whether the catalogue has a service, by its official type or any alias of it. */
export declare function hasService(catalog: readonly CatalogService[], type: string): boolean;
