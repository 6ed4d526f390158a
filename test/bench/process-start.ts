import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';

/** What no function can be faster than. */
const emptyServer = "require('node:http').createServer().listen(Number(process.env.PORT))";

/** Milliseconds until something listens on the port. */
export async function untilListening(port: number, startedAt: number): Promise<number> {
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

/** Milliseconds from the start of a process to its listening; `launcher` is a command that becomes the process. */
export async function startOfEmptyServer(port: number, launcher: readonly string[] = []): Promise<number> {
  const startedAt = performance.now();
  const [program = process.execPath, ...args] = [...launcher, process.execPath, '-e', emptyServer];
  const child = spawn(program, args, { env: { PORT: String(port) }, stdio: 'ignore' });
  const ended = once(child, 'exit');
  const duration = await untilListening(port, startedAt);
  child.kill('SIGKILL');
  await ended;
  return duration;
}
