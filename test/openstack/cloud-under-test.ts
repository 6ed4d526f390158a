import type { Session, SessionOptions } from 'openstack-client-ts';
import type { UserName } from './content.ts';
import type { Credential } from './sessions.ts';

/** One of the two clouds, with the same content. */
export interface CloudUnderTest {
  readonly kind: CloudKind;
  /** The user demo on the project demo. */
  readonly demo: Session;
  /** A session by password, closed with the cloud. */
  session(user: UserName, options?: Partial<SessionOptions>): Session;
  /** The user demo, of a catalogue in which Cinder's URL has no project. */
  sessionWithPlainUrls(): Promise<Session>;
  /** A session by another token or password, which need not be right. */
  sessionWith(credential: Credential): Session;
  /** Id of the port that the used floating IP leads to. */
  readonly portId: string;
  /** Sets the default volume type of the project demo; null = the cloud names one that it does not have. */
  setDefaultVolumeType(name: string | null): Promise<void>;
  close(): Promise<void>;
}

export const cloudKinds = ['real', 'simulated'] as const;
export type CloudKind = (typeof cloudKinds)[number];
