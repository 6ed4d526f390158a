import type { Command } from './command.ts';
import { completionCommand } from './completion/command.ts';
import { deadLettersCommand } from './dead-letters/command.ts';
import { doctorCommand } from './doctor/command.ts';
import { planCommand } from './plan/command.ts';
import { renderCommand } from './render/command.ts';
import { sendCommand } from './send/command.ts';
import { statusCommand } from './status/command.ts';

/** All commands, in the order of `--help`. */
export const commands: readonly Command[] = [
  renderCommand,
  planCommand,
  sendCommand,
  statusCommand,
  doctorCommand,
  deadLettersCommand,
  completionCommand,
];
