import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below what Linux gives to outgoing connections and to servers that name no port, and above most registered services. */
const lowest = 20_000;
const highest = 32_000;
const attempts = 100;

/**
 * A port of the loopback interface that is free now and is likely to stay free while nobody listens on it: that of a machine that is not
 * up yet, or down for a while.
 */
export async function lastingPort(): Promise<number> {
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = randomInt(lowest, highest);
    if (await isFree(port)) {
      return port;
    }
  }
  throw new RangeError(`No port between ${lowest} and ${highest} is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  const listening = once(server.listen(port, '127.0.0.1'), 'listening').then(
    () => true,
    () => false,
  );
  const free = await listening;
  if (free) {
    await new Promise((closed) => server.close(closed));
  }
  return free;
}
