#!/usr/bin/env node
import { runCommandLine } from './command-line.ts';
import { processTerminal } from './output/process-terminal.ts';

void runCommandLine(process.argv.slice(2), processTerminal(process)).then((exitCode) => {
  process.exitCode = exitCode;
});
