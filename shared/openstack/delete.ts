import { NotFoundError } from './errors.ts';
import type { Call, Session } from './session.ts';

/** Deletes; false where there was nothing to delete, also when an earlier attempt did it and its answer was lost. */
export async function deleteIfThere(
  session: Session,
  call: Pick<Call, 'service' | 'path' | 'query'>,
): Promise<boolean> {
  // A sign-in that meets a 404, as of a proxy before Keystone, says nothing of the thing.
  await session.authentication();
  try {
    await session.send({ ...call, method: 'DELETE' });
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}
