import { RejectedError } from '../contract/errors.ts';
import { isInvalid } from '../kubernetes/errors.ts';

/** Writes a Cluster; what Cluster API's webhooks object to concerns what the user asked for. @throws RejectedError */
export async function refusedByClusterApi<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isInvalid(error)) throw error;
    throw new RejectedError([{ code: 'invalid_field', message: `Cluster API refuses the cluster: ${error.message}` }], {
      cause: error,
    });
  }
}
