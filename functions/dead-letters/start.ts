import { type FunctionProcess, serveFunction } from '../../shared/host/serve-function.ts';
import { deadLettersFunction } from './handler.ts';

export function start(process: FunctionProcess): Promise<void> {
  return serveFunction(process, ({ kubernetes }) => deadLettersFunction({ kubernetes }));
}
