import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type ReaperOrder, type ReaperReport, reaperOrder } from './reaper-messages.ts';

// The program that owns the processes of a control plane. Its owner is the other end of the IPC channel: when that closes, for whatever
// reason (SIGKILL included), everything is stopped. Being the parent, it never takes a reused process id for one of its own.

/** Milliseconds between SIGTERM and SIGKILL: enough for kube-apiserver to flush its audit log. */
const grace = 4_000;
/** Stopped last, since the others write to it while they end. */
const stoppedLast = 'etcd';
/** Folder that is worthless once its processes are gone; logs beside it are kept for whoever looks into a crash. */
const [, , dataDirectory] = process.argv;

const children = new Map<string, ChildProcess>();
let stopping: Promise<void> | undefined;

process.on('message', (message) => carryOut(reaperOrder.parse(message)));
process.once('disconnect', () => void leave());
process.once('SIGTERM', () => void leave());

function carryOut(order: ReaperOrder): void {
  if (order.kind === 'stop') {
    stopping ??= stopAll();
    void stopping.then(() => report({ kind: 'stopped' }));
  } else if (order.kind === 'signal') {
    children.get(order.name)?.kill(order.signal);
  } else if (stopping === undefined) {
    start(order);
  }
}

function start(order: Extract<ReaperOrder, { kind: 'start' }>): void {
  const { name } = order;
  const log = openSync(order.logPath, 'a');
  const child = spawn(order.command, order.args, { env: order.env, stdio: ['ignore', log, log] });
  closeSync(log);
  child.once('error', (error) => report({ kind: 'ended', name, how: error.message, crashed: true }));
  child.once('exit', (code, signal) => {
    children.delete(name);
    const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
    report({ kind: 'ended', name, how, crashed: signal === null && stopping === undefined });
  });
  if (child.pid !== undefined) {
    children.set(name, child);
    report({ kind: 'started', name, pid: child.pid });
  }
}

function report(message: ReaperReport): void {
  if (process.connected) {
    process.send?.(message);
  }
}

async function leave(): Promise<void> {
  stopping ??= stopAll();
  await stopping;
  if (dataDirectory !== undefined) {
    await rm(dataDirectory, { recursive: true, force: true });
  }
  process.exit(0);
}

async function stopAll(): Promise<void> {
  const all = [...children];
  await Promise.all(all.filter(([name]) => name !== stoppedLast).map(([name, child]) => end(name, child)));
  await Promise.all(all.filter(([name]) => name === stoppedLast).map(([name, child]) => end(name, child)));
}

async function end(name: string, child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) {
    return;
  }
  const gone = new Promise<true>((resolve) => child.once('exit', () => resolve(true)));
  child.kill('SIGTERM');
  const ended = await Promise.race([gone, delay(grace, undefined, { ref: false })]);
  if (ended !== true) {
    process.stderr.write(`${name} did not end within ${grace} ms of SIGTERM\n`);
    child.kill('SIGKILL');
    await gone;
  }
}
