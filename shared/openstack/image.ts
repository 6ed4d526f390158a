import * as z from 'zod';
import { shaped } from './answer-shape.ts';
import { NotFoundError } from './errors.ts';
import { canBeName, isUuid, pickOne } from './lookup.ts';
import { listAll } from './pages.ts';
import type { Session } from './session.ts';

const service = 'image';

export interface Image {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** GiB. */
  readonly minDisk: number;
  /** Every other property of text, under Glance's own name, as `os_distro`, `hw_disk_bus`. */
  readonly properties: Readonly<Record<string, string>>;
}

const image = z
  .looseObject({
    id: z.string(),
    name: z.string().nullish(),
    status: z.string().nullish(),
    min_disk: z.number().nullish(),
  })
  .transform(
    ({ id, name, status, min_disk, ...others }): Image => ({
      id,
      name: name ?? '',
      status: status ?? '',
      minDisk: min_disk ?? 0,
      properties: Object.fromEntries(Object.entries(others).flatMap(([key, value]) => textProperty(key, value))),
    }),
  );

function textProperty(key: string, value: unknown): readonly (readonly [string, string])[] {
  return typeof value === 'string' ? [[key, value]] : [];
}

/** @throws NotFoundError, AmbiguousError */
export async function findImage(session: Session, nameOrId: string): Promise<Image> {
  const byId = isUuid(nameOrId) ? await getImage(session, nameOrId.toLowerCase()) : undefined;
  if (byId !== undefined) return byId;
  const named = canBeName(nameOrId) ? await imagesNamed(session, nameOrId) : [];
  return pickOne(named, nameOrId, { service, noun: 'image' });
}

async function getImage(session: Session, id: string): Promise<Image | undefined> {
  try {
    const { body } = await session.send({ service, method: 'GET', path: `/images/${id}` });
    return shaped(image, body, service);
  } catch (error) {
    if (error instanceof NotFoundError) return undefined;
    throw error;
  }
}

function imagesNamed(session: Session, name: string): Promise<readonly Image[]> {
  // Glance reads what stands before a colon as an operator, so a name with one needs `eq:`.
  const query = { name: name.includes(':') ? `eq:${name}` : name };
  return listAll(session, { call: { service, path: '/images', query }, key: 'images', nextKey: 'next', item: image });
}
