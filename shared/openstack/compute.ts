import * as z from 'zod';
import { shaped } from './answer-shape.ts';
import { NotFoundError } from './errors.ts';
import { canBeName, notFound, pickOne } from './lookup.ts';
import { listAll } from './pages.ts';
import type { Session } from './session.ts';

const service = 'compute';

export interface Flavor {
  readonly id: string;
  readonly name: string;
  readonly vcpus: number;
  /** MiB. */
  readonly ram: number;
  /** GiB; 0 = the flavor brings no root disk. */
  readonly disk: number;
  /** GiB; a disk of its own beside the root disk. */
  readonly ephemeral: number;
  /** MiB; another disk of its own. */
  readonly swap: number;
}

const flavor = z
  .object({
    id: z.string(),
    name: z.string(),
    vcpus: z.number(),
    ram: z.number(),
    disk: z.number(),
    'OS-FLV-EXT-DATA:ephemeral': z.number().nullish(),
    // Nova says '' where there is none.
    swap: z.union([z.number(), z.literal('')]).nullish(),
  })
  .transform(
    ({ 'OS-FLV-EXT-DATA:ephemeral': ephemeral, swap, ...fields }): Flavor => ({
      ...fields,
      ephemeral: ephemeral ?? 0,
      swap: Number(swap ?? 0),
    }),
  );

/** All flavors that the project may use; match several names against one list with `matchFlavor`. */
export function listFlavors(session: Session): Promise<readonly Flavor[]> {
  // is_public=None: those that are shared with the project too (Magnum asks the same).
  const call = { service, path: '/flavors/detail', query: { is_public: 'None' } };
  return listAll(session, { call, key: 'flavors', nextKey: 'flavors_links', item: flavor });
}

/** @throws NotFoundError, AmbiguousError */
export function matchFlavor(flavors: readonly Flavor[], nameOrId: string): Flavor {
  return pickOne(flavors, nameOrId, { service, noun: 'flavor' });
}

/** @throws NotFoundError, AmbiguousError */
export async function findFlavor(session: Session, nameOrId: string): Promise<Flavor> {
  return matchFlavor(canBeName(nameOrId) ? await listFlavors(session) : [], nameOrId);
}

export interface Keypair {
  readonly name: string;
  readonly publicKey: string;
  readonly fingerprint: string;
}

const keypairAnswer = z
  .object({
    keypair: z.object({ name: z.string(), public_key: z.string(), fingerprint: z.string().nullish() }),
  })
  .transform(
    ({ keypair }): Keypair => ({
      name: keypair.name,
      publicKey: keypair.public_key,
      fingerprint: keypair.fingerprint ?? '',
    }),
  );

/** The user's own keypair. @throws NotFoundError */
export async function getKeypair(session: Session, name: string): Promise<Keypair> {
  const sought = { service, noun: 'keypair' };
  // A path of dots would be another path.
  if (!canBeName(name) || name === '.' || name === '..') throw notFound(name, sought);
  try {
    const path = `/os-keypairs/${encodeURIComponent(name.toWellFormed())}`;
    const { body } = await session.send({ service, method: 'GET', path });
    return shaped(keypairAnswer, body, service);
  } catch (error) {
    throw error instanceof NotFoundError ? notFound(name, sought, error) : error;
  }
}

export interface Server {
  readonly id: string;
  readonly name: string;
  /** As `ACTIVE`, `BUILD`, `ERROR`. */
  readonly status: string;
  /** Why the server is in ERROR; null otherwise. */
  readonly fault: { readonly code: number; readonly message: string; readonly created: string | null } | null;
}

const server = z
  .object({
    id: z.string(),
    name: z.string().nullish(),
    status: z.string().nullish(),
    fault: z
      .object({ code: z.number().nullish(), message: z.string().nullish(), created: z.string().nullish() })
      .nullish(),
  })
  .transform(
    ({ id, name, status, fault }): Server => ({
      id,
      name: name ?? '',
      status: status ?? '',
      fault: fault ? { code: fault.code ?? 0, message: fault.message ?? '', created: fault.created ?? null } : null,
    }),
  );

/** @throws NotFoundError */
export async function getServer(session: Session, id: string): Promise<Server> {
  const path = `/servers/${encodeURIComponent(id.toWellFormed())}`;
  const { body } = await session.send({ service, method: 'GET', path });
  return shaped(z.object({ server }), body, service).server;
}

/** The project's servers; `status` as `ERROR`. */
export function listServers(session: Session, options: { readonly status?: string } = {}): Promise<readonly Server[]> {
  const call = { service, path: '/servers/detail', query: { ...options } };
  return listAll(session, { call, key: 'servers', nextKey: 'servers_links', item: server });
}
