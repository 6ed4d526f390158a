import { ConflictError, OpenStackError } from 'openstack-client-ts';

/** What a step against OpenStack brought: its value, or why it was refused. */
export type CloudAnswer<T> =
  | { readonly value: T; readonly error?: undefined }
  | { readonly value?: undefined; readonly error: OpenStackError };

/** Runs one step whose refusal shall not stop the others. @throws every error that is not the cloud's */
export async function answerOf<T>(step: () => Promise<T>): Promise<CloudAnswer<T>> {
  try {
    return { value: await step() };
  } catch (error) {
    if (error instanceof OpenStackError) return { error };
    throw error;
  }
}

/** Whether the same step may succeed a little later: a conflict is over when the thing has settled. */
export function mayPass(error: OpenStackError): boolean {
  return error.retryable || error instanceof ConflictError;
}
