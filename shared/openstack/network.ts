import type { Session } from './session.ts';

export interface Network {
  readonly id: string;
  readonly name: string;
  readonly external: boolean;
  readonly subnetIds: readonly string[];
}

export interface Subnet {
  readonly id: string;
  readonly name: string;
  readonly networkId: string;
  readonly cidr: string;
  readonly ipVersion: number;
}

/** `external` limits the search to external (true) or tenant (false) networks. @throws NotFoundError, AmbiguousError */
export declare function findNetwork(
  session: Session,
  nameOrId: string,
  options?: { readonly external?: boolean },
): Promise<Network>;

/** `networkId` limits the search to one network. @throws NotFoundError, AmbiguousError */
export declare function findSubnet(
  session: Session,
  nameOrId: string,
  options?: { readonly networkId?: string },
): Promise<Subnet>;
