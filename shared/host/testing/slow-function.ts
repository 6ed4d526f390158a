import * as z from 'zod';
import { noAuthentication } from '../authenticator.ts';
import { createLogger } from '../logger.ts';
import { runFunction } from '../run-function.ts';

/** A function as a process of its own; what it does is named by the event's data. */
const deeds: Record<string, () => Promise<unknown>> = {
  wait: () => new Promise((resolve) => process.stdin.once('data', resolve)),
  hang: () => new Promise(() => undefined),
  reject: async () => void Promise.reject(new Error('nobody caught this: password=hunter2')),
  throw: async () =>
    void setImmediate(() => {
      throw new Error('nobody caught this: password=hunter2');
    }),
};

const logger = createLogger();
void runFunction({
  port: Number(process.env['PORT'] ?? 0),
  address: '127.0.0.1',
  stopDelay: 50,
  drainTime: 10_000,
  authenticator: noAuthentication,
  rejectedReply: () => ({ type: 'rejected', data: {} }),
  logger,
  routes: {
    '/': {
      name: 'slow',
      accepts: { do: z.string() },
      async handle(_context, { data }) {
        logger.info({}, 'begun');
        await deeds[String(data)]?.();
        return { type: 'done', data };
      },
    },
  },
});
