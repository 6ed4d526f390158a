import type { Command } from './command.ts';
import { completionCommand } from './completion/command.ts';

/** All commands, in the order of `--help`. */
export const commands: readonly Command[] = [completionCommand];
