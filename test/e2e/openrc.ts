import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MagnumStage } from './magnum-stage.ts';

export type CloudVariables = Readonly<Record<`OS_${string}`, string>>;

/** Variables by which the `openstack` command signs in as the user demo. */
export function cloudVariables({ system, identity }: Pick<MagnumStage, 'system' | 'identity'>): CloudVariables {
  const { name, password, project } = identity.demo;
  return {
    OS_AUTH_URL: `${system.cloud.authUrl}/v3`,
    OS_IDENTITY_API_VERSION: '3',
    OS_USERNAME: name,
    OS_PASSWORD: password,
    OS_PROJECT_NAME: project,
    OS_USER_DOMAIN_ID: 'default',
    OS_PROJECT_DOMAIN_ID: 'default',
    OS_REGION_NAME: system.cloud.state.region,
  };
}

/** Path of the environment's `openstack` command, which has `coe`. */
export function openstackCommand({ environment }: Pick<MagnumStage, 'environment'>): string {
  return join(environment.folder, 'bin', 'openstack');
}

/** Writes an openrc into the run's folder and gives its path. */
export async function writeOpenrc(stage: MagnumStage): Promise<string> {
  const lines = Object.entries(cloudVariables(stage)).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  const path = join(stage.folder, 'openrc');
  await writeFile(path, lines.join(''), { mode: 0o600 });
  return path;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
