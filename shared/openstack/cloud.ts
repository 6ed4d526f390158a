import type { SessionOptions } from './session.ts';

/**
 * Session options from one cloud of a clouds.yaml, already parsed: `auth` with an application credential, a token or a
 * password, `auth_type`, `region_name`, `interface` or `endpoint_type`, `verify`. The file that `cacert` names is not
 * read: its name is returned for the caller.
 * @throws TypeError naming the field that is missing or wrong.
 */
export declare function parseCloud(cloud: unknown): {
  readonly options: SessionOptions;
  readonly caCertificateFile: string | undefined;
};
