import packageJson from '../../package.json' with { type: 'json' };
import { type FunctionProcess, serveFunction } from '../../shared/host/serve-function.ts';
import { createFunction } from './handler.ts';

export function start(process: FunctionProcess): Promise<void> {
  return serveFunction(process, (settings) => createFunction({ ...settings, version: packageJson.version }));
}
