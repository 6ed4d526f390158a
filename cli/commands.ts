import type { Command } from './command.ts';
import { completionCommand } from './completion/command.ts';
import { renderCommand } from './render/command.ts';

/** All commands, in the order of `--help`. */
export const commands: readonly Command[] = [renderCommand, completionCommand];
