import { openSession, type Session, type SessionOptions } from 'openstack-client-ts';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { startKeystoneCloud } from '../cloud/keystone/keystone-cloud.ts';
import type { FaultTarget } from '../cloud/openstack/faults.ts';
import type { TokenRequest } from '../cloud/openstack/identity.ts';
import { type SimulatedOpenStack, startSimulatedOpenStack } from '../cloud/openstack/simulated-openstack.ts';
import type { User } from '../cloud/openstack/state.ts';

/** Clouds that differ in their Keystone alone. */
export const clouds: readonly (readonly ['simulated' | 'real', () => Promise<SimulatedOpenStack>])[] = [
  ['simulated', startSimulatedOpenStack],
  ['real', startKeystoneCloud],
];

/** One cloud for a group of tests, with sessions that end with each test. */
export interface CloudOfTests {
  readonly cloud: SimulatedOpenStack;
  /** Closed after the test. */
  open(auth: Auth, options?: Omit<SessionOptions, 'auth'>): Session;
  /** A session by a new token. */
  openByToken(request: TokenRequest): Promise<Session>;
  /** Every token with which something is asked from now on to the end of the test. */
  watchTokens(): readonly string[];
  /** A user that nobody else has, who is a member of the project. @default demo */
  newMember(project?: string): Promise<User>;
}

/** How a session signs in, less the URL of Keystone. */
type Auth = SessionOptions['auth'] extends infer Kind ? (Kind extends unknown ? Omit<Kind, 'authUrl'> : never) : never;

export function cloudOfTests(start: () => Promise<SimulatedOpenStack>): () => CloudOfTests {
  let cloud: SimulatedOpenStack | undefined;
  const sessions: Session[] = [];
  beforeAll(async () => {
    cloud = await start();
  }, 600_000);
  afterEach(() => {
    cloud?.faults.clear();
    for (const session of sessions.splice(0)) session.close();
  });
  afterAll(() => cloud?.stop());
  return () => {
    if (cloud === undefined) throw new Error('The cloud is there only while tests run.');
    return cloudWith(cloud, sessions);
  };
}

let members = 0;

function cloudWith(cloud: SimulatedOpenStack, sessions: Session[]): CloudOfTests {
  const open = (auth: Auth, options: Omit<SessionOptions, 'auth'> = {}) => {
    const session = openSession({ auth: { ...auth, authUrl: cloud.authUrl }, ...options });
    sessions.push(session);
    return session;
  };
  return {
    cloud,
    open,
    openByToken: async (request) => open({ kind: 'token', token: await cloud.identity.signIn(request) }),
    watchTokens() {
      const tokens: string[] = [];
      const note = ({ token }: FaultTarget) => {
        if (token !== undefined) tokens.push(token);
        return false;
      };
      cloud.faults.inject({ when: note });
      return tokens;
    },
    newMember(project = 'demo') {
      members += 1;
      return cloud.identity.addUser({ name: `member-${members}`, project, roles: ['member'] });
    },
  };
}
