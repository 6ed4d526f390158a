import packageJson from '../../package.json' with { type: 'json' };
import { type FunctionProcess, serveFunction } from '../../shared/host/serve-function.ts';
import { statusFunction } from './handler.ts';

export function start(process: FunctionProcess): Promise<void> {
  return serveFunction(process, ({ statusWindowMs: windowMs, ...settings }) =>
    statusFunction({ ...settings, windowMs, version: packageJson.version }),
  );
}
