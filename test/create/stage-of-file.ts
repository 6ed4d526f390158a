import { afterAll, beforeAll, expect, inject, vi } from 'vitest';
import { type CreateStage, startCreateStage } from '../functions/create-stage.ts';
import { type EventAnswer, sendEvent } from '../functions/send-event.ts';

/** Starts the create function for a test file, on the control plane of the run; gives it once the tests run. */
export function stageOfFile(): () => CreateStage {
  let stage: CreateStage | undefined;
  beforeAll(async () => {
    stage = await startCreateStage({
      server: inject('server'),
      caCertificate: inject('caCertificate'),
      adminToken: inject('adminToken'),
    });
  });
  afterAll(() => stage?.stop());
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}

/** Sends an event as Magnum's conductor does: 429 and 503 are sent again, to the same process of the function. */
export function sendUntilAnswered(stage: CreateStage, event: object, url = stage.function.url): Promise<EventAnswer> {
  const send = async () => {
    const answer = await sendEvent(url, event, stage.access.callerToken);
    expect([429, 503]).not.toContain(answer.status);
    return answer;
  };
  return vi.waitFor(send, { timeout: 60_000, interval: 100 });
}
