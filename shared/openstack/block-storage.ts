import type { Session } from './session.ts';

export interface VolumeType {
  readonly id: string;
  readonly name: string;
  readonly isPublic: boolean;
}

/** The volume types that the project may use. */
export declare function listVolumeTypes(session: Session): Promise<readonly VolumeType[]>;

/** The volume type of a volume without one; null where the cloud has no default. */
export declare function defaultVolumeType(session: Session): Promise<VolumeType | null>;
