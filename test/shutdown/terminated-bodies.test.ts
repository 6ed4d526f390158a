import { expect, test } from 'vitest';
import { waitFor } from '../env/wait-for.ts';
import { createCluster } from '../functions/created-cluster.ts';
import { functionOf } from '../functions/function-of.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { exchangeRaw, openRaw, statusesOf } from '../host/raw-client.ts';
import { leaseOf, type TypedEvent } from './terminated-function.ts';

const stage = stageOfFile();

/** Sends an event to a function that gets SIGTERM in the middle of the body. */
async function sendAcrossEnd(event: TypedEvent): Promise<string> {
  const terminated = await stage().startAnother({ name: functionOf(event) });
  const port = Number(new URL(terminated.url).port);
  const body = Buffer.from(JSON.stringify(event));
  const head = [
    'POST / HTTP/1.1',
    'host: x',
    `authorization: Bearer ${stage().access.callerToken}`,
    'content-type: application/cloudevents+json',
    `content-length: ${body.byteLength}`,
    '',
    '',
  ];
  const { socket, closed } = await openRaw(port);
  socket.write(head.join('\r\n'));
  socket.write(body.subarray(0, 100));
  const metrics = () => exchangeRaw(port, 'GET /metrics HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n');
  await waitFor(async () => expect(await metrics()).toContain('events_in_flight 1'), { what: 'the event to arrive' });
  terminated.signal('SIGTERM');
  await waitFor(async () => expect(terminated.logLines.join()).toContain('"stopping"'), { what: 'the end to begin' });
  socket.write(body.subarray(100));
  const received = await closed();
  expect(await terminated.ended).toBe(0);
  return received;
}

// What is always rejected makes no call at which it could be ended.
test.each(['cluster.ca.rotate', 'cluster.update'])(
  'a function that is ended while %s is still coming takes it whole, rejects it and ends',
  async (type) => {
    const { magnum, uuid } = await createCluster(stage());
    const event = { ...magnum.requestHealth(), type: `org.openstack.magnum.${type}.v1` };
    const received = await sendAcrossEnd(event);
    expect(statusesOf(received)).toEqual([200]);
    expect(received).toContain('org.openstack.magnum.operation.rejected.v1');
    expect(await leaseOf(stage(), uuid)).toBeUndefined();
  },
);

test('a function that is ended while a resize is still coming carries it out and ends', async () => {
  const { magnum, uuid } = await createCluster(stage());
  const received = await sendAcrossEnd(magnum.resize('default-worker', 3));
  expect(statusesOf(received)).toEqual([200]);
  expect(received).toContain('org.openstack.magnum.operation.accepted.v1');
  expect(await leaseOf(stage(), uuid)).toBeUndefined();
});
