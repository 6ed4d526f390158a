import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { freePorts } from '../env/free-ports.ts';
import { createEvent } from '../functions/create-event.ts';
import type { CreateStage } from '../functions/create-stage.ts';
import { acceptedStackId, sendEvent } from '../functions/send-event.ts';
import { type Measurement, median } from './measurement.ts';

/** Odd, so that the median is a measured value. */
const rounds = 15;

/** What no function can be faster than. */
const emptyServer = "require('node:http').createServer().listen(Number(process.env.PORT))";

/** Milliseconds until something listens on the port. */
async function untilListening(port: number, startedAt: number): Promise<number> {
  for (;;) {
    const socket = connect(port, '127.0.0.1');
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    const duration = performance.now() - startedAt;
    socket.destroy();
    if (connected) return duration;
  }
}

async function startOfEmptyServer(port: number): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['-e', emptyServer], { env: { PORT: String(port) }, stdio: 'ignore' });
  const duration = await untilListening(port, startedAt);
  child.kill('SIGKILL');
  await once(child, 'exit');
  return duration;
}

interface FunctionStart {
  readonly listening: number;
  readonly ready: number;
}

async function startOfFunction(stage: CreateStage, port: number): Promise<FunctionStart> {
  const startedAt = performance.now();
  const starting = stage.startAnother({ port });
  const listening = await untilListening(port, startedAt);
  const started = await starting;
  await started.stop('SIGKILL');
  return { listening, ready: started.readyInMs };
}

/** Process start → first create answered, the time that a user waits for a cold function; Kubernetes and OpenStack are warm. */
async function firstReply(stage: CreateStage): Promise<number> {
  const event = await createEvent(stage.cloud);
  acceptedStackId(await stage.send(event));
  const startedAt = performance.now();
  const started = await stage.startAnother();
  acceptedStackId(await sendEvent(started.url, event, stage.access.callerToken));
  const duration = performance.now() - startedAt;
  await started.stop('SIGKILL');
  return duration;
}

/** Process start → listening, in turn with an empty server so that both meet the same load. */
export async function measureStart(stage: CreateStage): Promise<Measurement[]> {
  const empty: number[] = [];
  const own: FunctionStart[] = [];
  for (const port of await freePorts(rounds)) {
    empty.push(await startOfEmptyServer(port));
    own.push(await startOfFunction(stage, port));
  }
  const floor = median(empty);
  const listening = median(own.map((one) => one.listening));
  const ready = median(own.map((one) => one.ready));
  return [
    { what: 'start → listening, empty node:http server', value: floor, unit: 'ms', budget: null },
    { what: 'start → listening, create', value: listening, unit: 'ms', budget: null },
    { what: 'start → listening, create / empty server', value: listening / floor, unit: '×', budget: 2 },
    { what: 'start → ready for events, create', value: ready, unit: 'ms', budget: null },
    { what: 'start → ready for events, create / empty server', value: ready / floor, unit: '×', budget: null },
    { what: 'start → first event answered', value: await firstReply(stage), unit: 'ms', budget: null },
  ];
}

/** Resident memory of the function's process. */
export async function measureMemory(stage: CreateStage): Promise<Measurement> {
  const status = await readFile(`/proc/${stage.function.pid}/status`, 'utf8');
  const kilobytes = Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]);
  return { what: 'resident memory after the events', value: kilobytes / 1024, unit: 'MB', budget: 100 };
}
