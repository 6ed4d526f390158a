import * as z from 'zod';
import { shaped } from './answer-shape.ts';
import { OpenStackError } from './errors.ts';
import { listAll } from './pages.ts';
import type { Session } from './session.ts';

const service = 'block-storage';

export interface VolumeType {
  readonly id: string;
  readonly name: string;
  readonly isPublic: boolean;
}

const volumeType = z
  .object({ id: z.string(), name: z.string(), is_public: z.boolean().nullish() })
  .transform(({ id, name, is_public }): VolumeType => ({ id, name, isPublic: is_public ?? true }));

/** The volume types that the project may use. */
export function listVolumeTypes(session: Session): Promise<readonly VolumeType[]> {
  const call = { service, path: '/types' };
  return listAll(session, { call, key: 'volume_types', nextKey: 'volume_type_links', item: volumeType });
}

/** The volume type of a volume without one; null where the cloud has no default. */
export async function defaultVolumeType(session: Session): Promise<VolumeType | null> {
  try {
    const { body } = await session.send({ service, method: 'GET', path: '/types/default' });
    return shaped(z.object({ volume_type: volumeType }), body, service).volume_type;
  } catch (error) {
    // 404 is Cinder's word for none; 406 was seen for the same (original-facts §9).
    if (error instanceof OpenStackError && (error.status === 404 || error.status === 406)) return null;
    throw error;
  }
}
