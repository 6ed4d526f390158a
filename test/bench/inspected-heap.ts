import * as z from 'zod';

const targets = z.tuple([z.object({ webSocketDebuggerUrl: z.url() })]).rest(z.unknown());
const answer = z.object({ id: z.int(), result: z.unknown() });
const usage = z.object({ usedSize: z.number() });

const bytesInMegabyte = 1024 * 1024;

/**
 * Collects the garbage of a process that runs with `--inspect` and says what is left on its heap, by the DevTools protocol: no code
 * of ours runs there.
 * @param port of its inspector
 * @returns MB
 */
export async function collectGarbage(port: number): Promise<number> {
  const [{ webSocketDebuggerUrl }] = targets.parse(await (await fetch(`http://127.0.0.1:${port}/json/list`)).json());
  const socket = new WebSocket(webSocketDebuggerUrl);
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener('open', resolve);
      socket.addEventListener('error', () => reject(new Error('The inspector of the function does not answer.')));
    });
    // Twice: what finalizers let go of is collected by the second.
    await command(socket, 1, 'HeapProfiler.collectGarbage');
    await command(socket, 2, 'HeapProfiler.collectGarbage');
    return usage.parse(await command(socket, 3, 'Runtime.getHeapUsage')).usedSize / bytesInMegabyte;
  } finally {
    socket.close();
  }
}

function command(socket: WebSocket, id: number, method: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const read = ({ data }: MessageEvent) => {
      const received = answer.safeParse(JSON.parse(String(data)));
      if (received.data?.id !== id) return;
      socket.removeEventListener('message', read);
      resolve(received.data.result);
    };
    socket.addEventListener('message', read);
    socket.addEventListener('close', () => reject(new Error('The inspector of the function went away.')));
    socket.send(JSON.stringify({ id, method }));
  });
}
