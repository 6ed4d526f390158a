import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { inject } from 'vitest';
import type { HolderCommand, LeaseProcessOptions } from './lease-process.ts';

type Work = Pick<LeaseProcessOptions, 'namespace' | 'name' | 'durationSeconds' | 'task'>;

/** Starts lease-process.ts on the shared control plane. */
export function forkLeaseProcess(work: Work): ChildProcess {
  const options: LeaseProcessOptions = {
    ...work,
    server: inject('server'),
    caCertificate: inject('caCertificate'),
    adminToken: inject('adminToken'),
  };
  return fork(new URL('./lease-process.ts', import.meta.url), [JSON.stringify(options)], { execArgv: [] });
}

/** Its next message; fails when it ends instead. */
export async function nextMessage(child: ChildProcess): Promise<unknown> {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The process ended with ${code} before it said anything.`);
  });
  const [message] = await Promise.race([once(child, 'message'), ended]);
  return message;
}

/** What came of a command to a holder: `written`, or the name of an error. */
export function ask(child: ChildProcess, command: HolderCommand): Promise<unknown> {
  child.send(command);
  return nextMessage(child);
}

export async function exitCode(child: ChildProcess): Promise<unknown> {
  const [code] = await once(child, 'exit');
  return code;
}
