import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { MagnumStage } from './magnum-stage.ts';

/** Paths of what a user of the stage needs. */
export interface UserFiles {
  /** Variables for a shell, of the user demo. */
  readonly openrc: string;
  /** The `openstack` command with `coe`. */
  readonly openstack: string;
}

/** Writes them into the run's folder. */
export async function writeUserFiles(stage: MagnumStage): Promise<UserFiles> {
  const files = { openrc: join(stage.folder, 'openrc'), openstack: join(stage.folder, 'openstack') };
  const lines = Object.entries(variables(stage)).map(([name, value]) => `export ${name}=${quoted(value)}\n`);
  await writeFile(files.openrc, lines.join(''), { mode: 0o600 });
  const { python, folder } = stage.environment;
  // By its Python: the first line of the program names the folder in which the environment was made.
  const command = [python, '-W', 'ignore', join(folder, 'bin', 'openstack')].map(quoted).join(' ');
  await writeFile(files.openstack, `#!/bin/sh\nexec ${command} "$@"\n`, { mode: 0o700 });
  return files;
}

function variables({ system, identity }: MagnumStage): Readonly<Record<string, string>> {
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

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
