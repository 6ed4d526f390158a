import packageJson from '../../package.json' with { type: 'json' };
import { type FunctionProcess, serveFunction } from '../../shared/host/serve-function.ts';
import { upgradeFunction } from './handler.ts';

export function start(process: FunctionProcess): Promise<void> {
  return serveFunction(process, (settings) => upgradeFunction({ ...settings, version: packageJson.version }));
}
