import * as z from 'zod';
import { canBeName, isUuid, pickOne, type Sought } from './lookup.ts';
import { type List, listAll } from './pages.ts';
import type { Session } from './session.ts';

const service = 'network';

export interface Network {
  readonly id: string;
  readonly name: string;
  readonly external: boolean;
  readonly subnetIds: readonly string[];
}

const network = z
  .object({
    id: z.string(),
    name: z.string().nullish(),
    'router:external': z.boolean().nullish(),
    subnets: z.array(z.string()).nullish(),
  })
  .transform(
    (answer): Network => ({
      id: answer.id,
      name: answer.name ?? '',
      external: answer['router:external'] ?? false,
      subnetIds: answer.subnets ?? [],
    }),
  );

export interface Subnet {
  readonly id: string;
  readonly name: string;
  readonly networkId: string;
  readonly cidr: string;
  readonly ipVersion: number;
}

const subnet = z
  .object({
    id: z.string(),
    name: z.string().nullish(),
    network_id: z.string(),
    cidr: z.string(),
    ip_version: z.number().nullish(),
  })
  .transform(
    (answer): Subnet => ({
      id: answer.id,
      name: answer.name ?? '',
      networkId: answer.network_id,
      cidr: answer.cidr,
      ipVersion: answer.ip_version ?? (answer.cidr.includes(':') ? 6 : 4),
    }),
  );

/** `external` limits the search to external (true) or tenant (false) networks. @throws NotFoundError, AmbiguousError */
export function findNetwork(
  session: Session,
  nameOrId: string,
  options: { readonly external?: boolean } = {},
): Promise<Network> {
  const { external } = options;
  const query: Record<string, string> =
    external === undefined ? {} : { 'router:external': external ? 'True' : 'False' };
  const kinds = { true: 'external network', false: 'tenant network', undefined: 'network' };
  const call = { service, path: '/networks', query };
  const list = { call, key: 'networks', nextKey: 'networks_links', item: network };
  return findIn(session, list, { nameOrId, noun: kinds[`${external}`] });
}

/** `networkId` limits the search to one network. @throws NotFoundError, AmbiguousError */
export function findSubnet(
  session: Session,
  nameOrId: string,
  options: { readonly networkId?: string } = {},
): Promise<Subnet> {
  const query: Record<string, string> = options.networkId === undefined ? {} : { network_id: options.networkId };
  const call = { service, path: '/subnets', query };
  const list = { call, key: 'subnets', nextKey: 'subnets_links', item: subnet };
  return findIn(session, list, { nameOrId, noun: 'subnet' });
}

/** Asks by id where the text is one, then by name: Neutron cannot ask for both at once. */
async function findIn<T extends { readonly id: string; readonly name: string }>(
  session: Session,
  list: List<T>,
  target: { readonly nameOrId: string; readonly noun: string },
): Promise<T> {
  const { nameOrId, noun } = target;
  const sought: Sought = { service, noun };
  const ask = (filter: Record<string, string>): Promise<readonly T[]> => {
    return listAll(session, { ...list, call: { ...list.call, query: { ...list.call.query, ...filter } } });
  };
  // Databases find an id in capital letters too, and give it in small ones.
  const id = nameOrId.toLowerCase();
  const byId = isUuid(nameOrId) ? await ask({ id }) : [];
  if (byId.length > 0) return pickOne(byId, id, sought);
  return pickOne(canBeName(nameOrId) ? await ask({ name: nameOrId }) : [], nameOrId, sought);
}
