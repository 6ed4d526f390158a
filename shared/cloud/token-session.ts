import { openSession, type Session } from 'openstack-client-ts';
import { activeSignal } from '../host/event-signal.ts';
import type { CloudAccess } from './cloud-access.ts';

interface TokenSessionOptions {
  readonly access: CloudAccess;
  /** The requesting user's. */
  readonly token: string;
  readonly onRequest: () => void;
}

/** Opens a session as the user who asks, as the management side reaches the cloud. */
export function openTokenSession({ access, token, onRequest }: TokenSessionOptions): Session {
  return openSession({
    auth: { kind: 'token', authUrl: access.authUrl, token },
    region: access.region ?? undefined,
    interface: access.endpointType,
    caCertificate: access.caCertificate ?? undefined,
    insecure: !access.verify,
    onRequest,
    signal: activeSignal(),
  });
}
