import type { Session } from './session.ts';

export interface ShareType {
  readonly id: string;
  readonly name: string;
}

/** The share types that the project may use. */
export declare function listShareTypes(session: Session): Promise<readonly ShareType[]>;
