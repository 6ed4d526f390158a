import type { Session } from './session.ts';

export interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  /** MiB. */
  readonly ram: number;
  /** GiB; 0 = the flavor brings no root disk. */
  readonly disk: number;
}

export interface Keypair {
  readonly name: string;
  readonly publicKey: string;
  readonly fingerprint: string;
}

export interface Server {
  readonly id: string;
  readonly name: string;
  /** As `ACTIVE`, `BUILD`, `ERROR`. */
  readonly status: string;
  /** Why the server is in ERROR; null otherwise. */
  readonly fault: { readonly code: number; readonly message: string; readonly created: string | null } | null;
}

/** All flavors that the project may use; match several names against one list with `matchFlavor`. */
export declare function listFlavors(session: Session): Promise<readonly Flavor[]>;

/** @throws NotFoundError, AmbiguousError */
export declare function matchFlavor(flavors: readonly Flavor[], nameOrId: string): Flavor;

/** @throws NotFoundError, AmbiguousError */
export declare function findFlavor(session: Session, nameOrId: string): Promise<Flavor>;

/** The user's own keypair. @throws NotFoundError */
export declare function getKeypair(session: Session, name: string): Promise<Keypair>;

/** @throws NotFoundError */
export declare function getServer(session: Session, id: string): Promise<Server>;

/** The project's servers; `status` as `ERROR`. */
export declare function listServers(
  session: Session,
  options?: { readonly status?: string },
): Promise<readonly Server[]>;
