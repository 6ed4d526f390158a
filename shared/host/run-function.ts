import { createTelemetry } from '../telemetry/telemetry.ts';
import { type HostOptions, startHost } from './host.ts';

/**
 * Serves a function as the main job of this process. SIGTERM and SIGINT end it in order with code 0, a second one at once
 * with code 1: as process 1 of a container Node would ignore both. What nobody caught is logged and ends it with code 1. Telemetry that has
 * not been sent goes out after the last event.
 */
export async function runFunction(options: HostOptions): Promise<void> {
  const { logger, telemetry = createTelemetry() } = options;
  const fail = (error: unknown) => {
    logger.fatal({ err: error }, 'the host ends because of an error that nobody caught');
    process.exit(1);
  };
  process.on('uncaughtException', fail).on('unhandledRejection', fail);
  const host = startHost({ ...options, telemetry });
  let isStopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (isStopping) process.exit(1);
    isStopping = true;
    logger.info({ signal }, 'stopping');
    host
      .then((started) => started.close())
      .then(() => telemetry.close())
      .then(() => process.exit(0), fail);
  };
  process.on('SIGTERM', stop).on('SIGINT', stop);
  await host.then(({ port }) => {
    for (const { name } of Object.values(options.routes)) {
      telemetry.metrics.set('startSeconds', { function: name }, performance.now() / 1000);
    }
    logger.info({ port, functions: Object.keys(options.routes) }, 'listening');
  }, fail);
}
