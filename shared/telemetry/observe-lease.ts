import { BusyError } from '../contract/errors.ts';
import { activeScope } from './event-scope.ts';
import { inSpan } from './in-span.ts';

/** Measures how long an event waits for the Lease of its cluster. @throws what the wait throws */
export async function observeLeaseWait<Result>(lease: string, wait: () => Promise<Result>): Promise<Result> {
  const started = performance.now();
  const observe = (outcome: 'acquired' | 'busy' | 'failed') => {
    const scope = activeScope();
    const seconds = (performance.now() - started) / 1000;
    scope?.metrics.observe('leaseWait', { function: scope.functionName, outcome }, seconds);
  };
  try {
    const result = await inSpan({ name: 'wait for lease', attributes: { 'k8s.request.name': lease } }, wait);
    observe('acquired');
    return result;
  } catch (error) {
    observe(error instanceof BusyError ? 'busy' : 'failed');
    throw error;
  }
}
