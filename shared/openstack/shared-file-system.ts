import * as z from 'zod';
import { listAll } from './pages.ts';
import type { Session } from './session.ts';

const service = 'shared-file-system';

export interface ShareType {
  readonly id: string;
  readonly name: string;
}

const shareType = z.object({ id: z.string(), name: z.string() });

/** The share types that the project may use. */
export function listShareTypes(session: Session): Promise<readonly ShareType[]> {
  const call = { service, path: '/types' };
  return listAll(session, { call, key: 'share_types', nextKey: 'share_types_links', item: shareType });
}
