import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { InvalidEventError } from '../contract/errors.ts';
import { readBody } from './request-body.ts';

test('the body of a sender that is gone before it is asked for is an error, not waited for', async () => {
  const { promise: outcome, resolve } = Promise.withResolvers<unknown>();
  const server = createServer(async (request) => {
    socket.destroy();
    await new Promise((closed) => request.once('close', closed));
    resolve(await readBody(request, 100, () => undefined).catch((error: unknown) => error));
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1', () =>
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\n\r\n'),
  );
  expect(await outcome).toBeInstanceOf(InvalidEventError);
  server.close();
});
