import { CloudEvent, emitterFor, HTTP, httpTransport, Mode } from 'cloudevents';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { createEvent } from '../functions/create-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';

const stage = stageOfFile();
const message = z.object({ body: z.string(), headers: z.record(z.string(), z.string()) });

/** Emits an event by the library and reads the answer by it. */
async function emit(event: CloudEvent<unknown>, mode: Mode, name: 'create' | 'status'): Promise<CloudEvent<unknown>> {
  const { url } = await stage().processOf(name);
  const send = emitterFor(httpTransport(url), { mode });
  const headers = { authorization: `Bearer ${stage().access.callerToken}` };
  const answer = message.parse(await send(event, { headers }));
  const reply = HTTP.toEvent<unknown>(answer);
  if (!(reply instanceof CloudEvent)) throw new Error('The library read a batch.');
  expect(reply.validate()).toBe(true);
  return reply;
}

describe.each([Mode.BINARY, Mode.STRUCTURED])("the CloudEvents library's events in %s mode", (mode) => {
  test('are taken, and the reply is an event to it', async () => {
    const { specversion: _version, ...event } = await createEvent(stage().cloud);
    const sent = new CloudEvent<unknown>({ ...event, datacontenttype: 'application/json' });
    const reply = await emit(sent, mode, 'create');
    expect(reply).toMatchObject({
      id: `${event.id}:reply`,
      source: '/functions/create',
      type: 'org.openstack.magnum.operation.accepted.v1',
      specversion: '1.0',
      subject: event.subject,
      datacontenttype: 'application/json',
      dataschema: expect.stringContaining('operation.accepted.v1'),
      data: { stack_id: expect.stringMatching(/^kube-[a-z0-9]{5}$/) },
    });
  });

  test('that are rejected get a reply that is an event to it as well', async () => {
    const { specversion: _version, ...event } = await createEvent(stage().cloud, { labels: { kube_tag: 'größer' } });
    const reply = await emit(new CloudEvent<unknown>({ ...event }), mode, 'create');
    expect(reply).toMatchObject({ type: 'org.openstack.magnum.operation.rejected.v1', subject: event.subject });
    expect(JSON.stringify(reply.data)).toContain('kube_tag');
  });
});
