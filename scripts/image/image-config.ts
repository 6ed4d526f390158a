import packageJson from '../../package.json' with { type: 'json' };
import { nonRootId } from './base-layer.ts';
import { imageFolder } from './compile-cache.ts';
import type { Revision } from './revision.ts';

/** Where Node stands in the image. */
export const nodePath = '/usr/local/bin/node';

export const imageName = packageJson.name;
export const imageVersion = packageJson.version;

/** The part of the configuration that says how a container runs; Containerfile says the same. */
export const runtimeConfig = {
  User: `${nonRootId}:${nonRootId}`,
  ExposedPorts: { '8080/tcp': {} },
  Env: ['PATH=/usr/local/bin', 'NODE_ENV=production'],
  Entrypoint: [nodePath, `${imageFolder}/main.cjs`],
  WorkingDir: '/',
  StopSignal: 'SIGTERM',
} as const;

/** Labels and annotations by the names of the image-spec. */
export function imageLabels({ commit, time }: Revision): Readonly<Record<string, string>> {
  const prefix = 'org.opencontainers.image';
  return {
    [`${prefix}.created`]: timestamp(time),
    [`${prefix}.description`]: packageJson.description,
    [`${prefix}.licenses`]: packageJson.license,
    ...(commit === undefined ? {} : { [`${prefix}.revision`]: commit }),
    [`${prefix}.title`]: packageJson.name,
    [`${prefix}.version`]: packageJson.version,
  };
}

/** RFC 3339, of seconds since 1970. */
export function timestamp(time: number): string {
  return new Date(time * 1000).toISOString().replace('.000Z', 'Z');
}
