import { type FunctionProcess, serveFunction } from '../../shared/host/serve-function.ts';
import { healthFunction } from './handler.ts';

export function start(process: FunctionProcess): Promise<void> {
  return serveFunction(process, ({ kubernetes, sink, healthWindowMs, healthProbeTimeoutMs }) =>
    healthFunction({ kubernetes, sink, windowMs: healthWindowMs, probeTimeoutMs: healthProbeTimeoutMs }),
  );
}
