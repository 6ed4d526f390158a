import { type FunctionProcess, serveFunction } from '../../shared/host/serve-function.ts';
import { upgradeFunction } from './handler.ts';

export function start(process: FunctionProcess): Promise<void> {
  return serveFunction(process, upgradeFunction);
}
