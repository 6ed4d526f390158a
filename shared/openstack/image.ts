import type { Session } from './session.ts';

export interface Image {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** GiB. */
  readonly minDisk: number;
  /** Every other property of text, under Glance's own name, as `os_distro`, `hw_disk_bus`. */
  readonly properties: Readonly<Record<string, string>>;
}

/** @throws NotFoundError, AmbiguousError */
export declare function findImage(session: Session, nameOrId: string): Promise<Image>;
