import { runCommand } from '../env/run-command.ts';
import type { MagnumStage } from './magnum-stage.ts';
import { type UserFiles, writeUserFiles } from './user-files.ts';

/** The `openstack` command of the user demo. */
export interface OpenstackCommand {
  /** Gives what it prints. @throws {CommandError} with the end of what it complains about */
  run(...args: readonly string[]): Promise<string>;
  /** The same of what can print JSON. */
  json(...args: readonly string[]): Promise<unknown>;
}

/** The command in a shell, after the openrc, as a user has it. */
export async function openstackCommand(stage: MagnumStage): Promise<OpenstackCommand> {
  const files: UserFiles = await writeUserFiles(stage);
  // As a login has them.
  const environment = { PATH: process.env['PATH'], HOME: stage.folder, SHELL: '/bin/sh' };
  const run = (...args: readonly string[]) => {
    const script = '. "$0" && exec "$@"';
    return runCommand('sh', ['-c', script, files.openrc, files.openstack, ...args], { environment });
  };
  return { run, json: async (...args) => JSON.parse(await run(...args, '-f', 'json')) };
}
