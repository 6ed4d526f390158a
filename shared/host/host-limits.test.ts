import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, test } from 'vitest';
import { noAuthentication } from './authenticator.ts';
import { UnauthenticatedError } from './host-errors.ts';
import { answerTo, type HostUnderTest, hostUnderTest, requestData, requestHeaders } from './testing/host-under-test.ts';

const mebibyte = 1024 * 1024;
const patient = { timeout: 20_000 };
let host: HostUnderTest;
afterEach(() => host.close());

/** A valid request of exactly so many bytes. */
function bodyOf(bytes: number): Buffer {
  const text = JSON.stringify({ ...requestData, padding: '' });
  return Buffer.from(text.replace('""', `"${'x'.repeat(bytes - text.length)}"`));
}

function open(headers: Record<string, string | number> = {}) {
  return request({
    port: host.port,
    host: '127.0.0.1',
    method: 'POST',
    agent: false,
    headers: { ...requestHeaders, ...headers },
  });
}

function rawRequest(lines: readonly string[]): Socket {
  const socket = connect(host.port, '127.0.0.1');
  socket.write(`${lines.join('\r\n')}\r\n`);
  return socket;
}

const head = [
  'POST / HTTP/1.1',
  'host: x',
  ...Object.entries(requestHeaders).map(([name, value]) => `${name}: ${value}`),
];

describe('a body', () => {
  test('of 1 MiB is taken', async () => {
    host = await hostUnderTest();
    expect(await host.send({ headers: requestHeaders, body: bodyOf(mebibyte) })).toMatchObject({ status: 200 });
  });

  test('of one byte more is refused by its length alone', async () => {
    host = await hostUnderTest();
    const outgoing = open({ 'content-length': mebibyte + 1 });
    outgoing.flushHeaders();
    const answer = await answerTo(outgoing);
    expect(answer.status).toBe(413);
    expect(answer.headers.connection).toBe('close');
    expect(JSON.parse(answer.body)).toEqual({ code: 'too_large', message: 'The body is larger than 1048576 bytes.' });
    expect(host.events()).toMatchObject([{ outcome: 'invalid', status: 413, code: 'too_large' }]);
  });

  test('that turns out larger on the way is refused, though its sender has not read a thing yet', async () => {
    host = await hostUnderTest();
    const outgoing = open({ 'transfer-encoding': 'chunked' });
    outgoing.write(bodyOf(mebibyte));
    outgoing.end(bodyOf(4 * mebibyte));
    expect(await answerTo(outgoing)).toMatchObject({ status: 413, headers: { connection: 'close' } });
  });

  test('that is too large is refused so that a sender which reads only after it has sent all still learns why', async () => {
    host = await hostUnderTest();
    const body = bodyOf(6 * mebibyte);
    const socket = rawRequest([...head, `content-length: ${body.byteLength}`, 'connection: close', '', '']).pause();
    await new Promise((sent) => socket.once('error', sent).write(body, sent));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 413 /);
  });

  test('without end is cut off', async () => {
    host = await hostUnderTest();
    const socket = rawRequest([...head, 'transfer-encoding: chunked', '']);
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    socket.on('drain', () => socket.write(chunk)).on('error', () => undefined);
    socket.on('connect', () => {
      while (socket.write(chunk));
    });
    const answer = await text(socket).catch(() => 'reset');
    expect(answer).toMatch(/^(HTTP\/1.1 413|reset)/);
    expect(host.events()).toMatchObject([{ status: 413 }]);
  });

  test('is not asked for with 100 Continue when it is too large', async () => {
    host = await hostUnderTest();
    const outgoing = open({ 'content-length': mebibyte + 1, expect: '100-continue' });
    const continued: string[] = [];
    outgoing.on('continue', () => continued.push('continue')).flushHeaders();
    expect(await answerTo(outgoing)).toMatchObject({ status: 413 });
    expect(continued).toEqual([]);
  });

  test('is asked for with 100 Continue by a sender that waits for it', async () => {
    host = await hostUnderTest();
    const body = bodyOf(100);
    const outgoing = open({ 'content-length': body.byteLength, expect: '100-continue' });
    outgoing.on('continue', () => outgoing.end(body)).flushHeaders();
    expect(await answerTo(outgoing)).toMatchObject({ status: 200 });
  });

  test('of a sender without a token is neither asked for nor read', async () => {
    const authenticator = { ...noAuthentication, authorize: () => Promise.reject(new UnauthenticatedError('No.')) };
    host = await hostUnderTest({ authenticator });
    const outgoing = open({ 'content-length': 500_000, expect: '100-continue' });
    outgoing.on('continue', () => outgoing.destroy(new Error('asked for'))).flushHeaders();
    expect(await answerTo(outgoing)).toMatchObject({ status: 401, headers: { connection: 'close' } });
  });

  test('that comes slowly is waited for', async () => {
    host = await hostUnderTest();
    const outgoing = open();
    const answer = answerTo(outgoing);
    for (const byte of JSON.stringify(requestData)) {
      await new Promise((resolve) => outgoing.write(byte, resolve));
    }
    outgoing.end();
    expect(await answer).toMatchObject({ status: 200 });
  });

  test('that breaks off is logged, and the host goes on', async () => {
    host = await hostUnderTest();
    const socket = rawRequest([...head, 'content-length: 100', '', '{"cut":']);
    await expect
      .poll(async () => (await host.send({ method: 'GET', path: '/metrics' })).body, patient)
      .toContain('in_flight 1');
    socket.destroy();
    await expect.poll(() => host.events(), patient).toMatchObject([{ outcome: 'invalid', event_id: 'req-1' }]);
    expect(await host.invoke()).toMatchObject({ status: 200 });
  });
});

describe('a connection', () => {
  test('is kept for the next event', async () => {
    host = await hostUnderTest();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sockets = new Set<number | undefined>();
    for (const id of ['a', 'b', 'c']) {
      const outgoing = request({
        port: host.port,
        host: '127.0.0.1',
        method: 'POST',
        agent,
        headers: { ...requestHeaders, 'ce-id': id },
      });
      outgoing.on('socket', (socket) => socket.once('connect', () => sockets.add(socket.localPort)));
      outgoing.end(JSON.stringify(requestData));
      const answer = await answerTo(outgoing);
      expect(answer.headers).toMatchObject({
        'ce-id': `${id}:reply`,
        connection: 'keep-alive',
        'keep-alive': 'timeout=95',
      });
    }
    expect(sockets.size).toBe(1);
    agent.destroy();
  });

  test('on which a request does not arrive in time is closed, and one that is only idle is not', async () => {
    host = await hostUnderTest({ arrivalTime: 300 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const sendOnIdle = () => host.send({ agent, headers: requestHeaders, body: JSON.stringify(requestData) });
    await sendOnIdle();
    const silent = text(connect(host.port, '127.0.0.1'));
    const slowHeaders = text(rawRequest(['POST / HTTP/1.1', 'host: x']));
    const slowBody = text(rawRequest([...head, 'content-length: 100', '', '{']));
    expect(await slowHeaders).toMatch(/^HTTP\/1.1 408 /);
    expect(await slowBody).toMatch(/^HTTP\/1.1 408 /);
    expect(await silent).toMatch(/^HTTP\/1.1 408 /);
    expect(await sendOnIdle()).toMatchObject({ status: 200 });
    agent.destroy();
  });

  test('is kept after a refusal whose body was read', async () => {
    host = await hostUnderTest();
    expect(
      await host.send({ agent: new Agent({ keepAlive: true }), headers: requestHeaders, body: '{' }),
    ).toMatchObject({
      status: 400,
      headers: { connection: 'keep-alive' },
    });
  });

  test.each([
    ['no HTTP', ['hello'], 400],
    ['headers of more than 16 KiB', [...head, `x: ${'x'.repeat(17_000)}`, ''], 431],
    ['two lengths', [...head, 'content-length: 2', 'content-length: 3', '', '{}'], 400],
    ['a length and chunks', [...head, 'content-length: 2', 'transfer-encoding: chunked', '', '{}'], 400],
    ['no host', ['POST / HTTP/1.1', '', ''], 400],
  ])('with %s is refused and the host goes on', async (_title, lines, status) => {
    host = await hostUnderTest();
    expect(await text(rawRequest(lines))).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(await host.invoke()).toMatchObject({ status: 200 });
  });

  test('with the header __proto__ changes nothing', async () => {
    host = await hostUnderTest();
    const socket = rawRequest([...head, '__proto__: x', 'connection: close', 'content-length: 45', '', '']);
    socket.write(JSON.stringify(requestData).slice(0, 45).padEnd(45));
    expect(await text(socket)).toMatch(/^HTTP\/1.1 (200|400)/);
    expect(await host.invoke()).toMatchObject({ status: 200 });
  });
});
