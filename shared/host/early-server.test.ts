import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { listenEarly } from './early-server.ts';

const address = '127.0.0.1';
const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

function portOf(server: Server): number {
  const bound = server.address();
  return typeof bound === 'object' && bound !== null ? bound.port : 0;
}

test('a request that comes before there is anything to answer with waits and is answered', async () => {
  const early = listenEarly({ port: 0, address });
  servers.push(early.server);
  await early.listening();
  const socket = connect(portOf(early.server), address);
  await once(socket, 'connect');
  const received = once(early.server, 'request');
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await received;
  early.serve((_request, response) => response.end('served'));
  expect(await text(socket)).toContain('served');
});

test('a request that comes afterwards is answered as well', async () => {
  const early = listenEarly({ port: 0, address });
  servers.push(early.server);
  early.serve((_request, response) => response.end('served'));
  await early.listening();
  const answer = await fetch(`http://${address}:${portOf(early.server)}/`);
  expect(await answer.text()).toBe('served');
});

test('a port that cannot be had is told to whoever starts the host, and to nobody else', async () => {
  const other = createServer().listen(0, address);
  servers.push(other);
  await once(other, 'listening');
  const early = listenEarly({ port: portOf(other), address });
  await expect(early.listening()).rejects.toThrow('EADDRINUSE');
});
