import type { Authentication } from 'openstack-client-ts';
import { RejectedError } from '../contract/errors.ts';

/**
 * Checks that the token may create the cluster's application credential in the cluster's project.
 * @throws RejectedError
 */
export function checkToken(authentication: Authentication, projectId: string): void {
  if (authentication.applicationCredential?.restricted === true) {
    throw new RejectedError([
      {
        code: 'permission_denied',
        message:
          'The request was made with a restricted application credential, with which Keystone lets nobody create the ' +
          "cluster's own application credential.",
        hint: 'Use a password, or an application credential created with --unrestricted.',
      },
    ]);
  }
  if (authentication.project?.id !== projectId) {
    throw new RejectedError([
      {
        code: 'permission_denied',
        message: `The token of the request is not for the cluster's project ${projectId}.`,
        field: 'cluster.project_id',
      },
    ]);
  }
}
