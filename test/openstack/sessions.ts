import { openSession, type Session, type SessionOptions } from 'openstack-client-ts';
import { type UserName, users } from './content.ts';

export type Credential =
  | { readonly kind: 'token'; readonly token: string }
  | { readonly kind: 'application_credential'; readonly id: string; readonly secret: string }
  | { readonly kind: 'password'; readonly user: string; readonly password: string };

/** The sessions of one cloud. */
export interface Sessions {
  with(credential: Credential): Session;
  open(user: UserName, options?: Partial<SessionOptions>): Session;
  close(): void;
}

export function passwordSessions(authUrl: string, passwordOf: (user: UserName) => string): Sessions {
  const opened: Session[] = [];
  const domain = { id: 'default' };
  const open = (options: SessionOptions): Session => {
    const session = openSession(options);
    opened.push(session);
    return session;
  };
  const byPassword = (user: string, password: string, project: string) => {
    return {
      kind: 'password',
      authUrl,
      user: { name: user, domain },
      password,
      project: { name: project, domain },
    } as const;
  };
  return {
    open(user, options = {}) {
      const auth = byPassword(user, passwordOf(user), users[user].project);
      return open({ auth, region: 'RegionOne', ...options });
    },
    with(credential) {
      if (credential.kind !== 'password') return open({ auth: { ...credential, authUrl } });
      return open({ auth: byPassword(credential.user, credential.password, 'demo') });
    },
    close() {
      for (const session of opened) session.close();
    },
  };
}
