import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

const loopback = '127.0.0.1';

/**
 * Distinct TCP ports of the loopback interface that are free now. Another process may take one before its user binds it, so the user
 * must be ready to try again with others.
 */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, listen));
  const ports = servers.map(portOf);
  await Promise.all(servers.map(close));
  return ports;
}

async function listen(): Promise<Server> {
  const server = createServer().listen(0, loopback);
  await once(server, 'listening');
  return server;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === 'string') {
    throw new TypeError('A listening TCP server has a port.');
  }
  return address.port;
}

async function close(server: Server): Promise<void> {
  await new Promise((resolve) => server.close(resolve));
}
