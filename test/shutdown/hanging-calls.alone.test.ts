import { expect, test } from 'vitest';
import { leaseExpiry } from '../../shared/kubernetes/lease-record.ts';
import { createEvent } from '../functions/create-event.ts';
import { createCluster } from '../functions/created-cluster.ts';
import { acceptedStackId } from '../functions/send-event.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { leaseOf, terminateAt } from './terminated-function.ts';

/** Milliseconds that Knative gives a pod of ours (timeoutSeconds of its Service). */
const grace = 120_000;

const stage = stageOfFile();

// The drain takes its 20 s in each: so they run side by side.
test.concurrent('a function whose call hangs at its end hands its event over and gives the Lease back', async () => {
  const event = await createEvent(stage().cloud);
  const termination = { name: 'create', event, moment: 'a write in the middle', callAfterwards: 'hangs' } as const;
  const { answer, tookMs } = await terminateAt(stage(), termination);
  expect(answer).toMatchObject({ status: 503 });
  expect(tookMs).toBeLessThan(grace);
  expect(await leaseOf(stage(), event.subject)).toBeUndefined();
  acceptedStackId(await stage().send(event));
});

test.concurrent('a function that the API server answers nothing ends, and the Lease is free within 15 s', async () => {
  const { magnum, uuid } = await createCluster(stage());
  const event = magnum.resize('default-worker', 3);
  const termination = { name: 'resize', event, moment: 'a write in the middle', callAfterwards: 'all hang' } as const;
  const { answer, tookMs } = await terminateAt(stage(), termination);
  expect(answer).toMatchObject({ status: 503 });
  expect(tookMs).toBeLessThan(grace);
  const lease = await leaseOf(stage(), uuid);
  if (lease !== undefined) expect(leaseExpiry(lease)).toBeLessThanOrEqual(Date.now() + 15_000);
  acceptedStackId(await stage().send(event));
  expect(await leaseOf(stage(), uuid)).toBeUndefined();
});

test.concurrent('a function whose cloud is slower than its end is told to stop, and gives the Lease back', async () => {
  const event = await createEvent(stage().cloud);
  const termination = { name: 'create', event, moment: 'the first write' } as const;
  const { token } = event.data.context;
  // Less than the client waits for one call.
  stage().cloud.faults.inject({ when: (call) => call.token === token, delayMs: 9000, times: Number.POSITIVE_INFINITY });
  const { answer, tookMs } = await terminateAt(stage(), termination);
  expect(answer).toMatchObject({ status: 503, data: { code: 'stopping' } });
  expect(tookMs).toBeLessThan(grace);
  expect(await leaseOf(stage(), event.subject)).toBeUndefined();
  stage().cloud.faults.clear();
  acceptedStackId(await stage().send(event));
});
