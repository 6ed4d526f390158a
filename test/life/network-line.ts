import { connect, createServer, type Socket } from 'node:net';

/** `refused`: connections are reset, old and new; `silent`: they stay, and nothing goes through. */
export type LineState = 'up' | 'refused' | 'silent';

/** The network between functions and API server. TLS goes through it untouched. */
export interface NetworkLine {
  /** `https://127.0.0.1:<port>` */
  readonly server: string;
  set(state: LineState): void;
  close(): Promise<void>;
}

/** @param server `https://host:port` of the API server */
export async function startNetworkLine(server: string): Promise<NetworkLine> {
  const { hostname, port } = new URL(server);
  const sockets = new Set<Socket>();
  let state: LineState = 'up';
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    if (state === 'silent') hold(socket);
  };
  const listener = createServer((near) => {
    if (state === 'refused') return void near.on('error', () => undefined).resetAndDestroy();
    const far = connect(Number(port), hostname);
    join(near, far);
    join(far, near);
    keep(near);
    keep(far);
  });
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
  const address = listener.address();
  return {
    server: `https://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`,
    set(next) {
      state = next;
      for (const socket of sockets) {
        if (next === 'refused') socket.resetAndDestroy();
        else if (next === 'silent') hold(socket);
        else release(socket);
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        listener.close(() => resolve());
      }),
  };
}

function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('close', () => to.destroy());
}

/** What comes is kept by the kernel until the line is up again. */
function hold(socket: Socket): void {
  socket.cork();
}

function release(socket: Socket): void {
  socket.uncork();
}
