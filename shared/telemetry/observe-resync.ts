import { activeScope } from './event-scope.ts';
import { inSpan } from './in-span.ts';

/** Measures a look at all clusters. @param work gives the number of clusters by what came of them @throws what the work throws */
export async function observeResync(work: () => Promise<Readonly<Record<string, number>>>): Promise<void> {
  const started = performance.now();
  const observe = (outcome: 'complete' | 'failed') => {
    const scope = activeScope();
    const seconds = (performance.now() - started) / 1000;
    scope?.metrics.observe('resyncSeconds', { function: scope.functionName, outcome }, seconds);
  };
  try {
    const counts = await inSpan({ name: 'resync' }, work);
    observe('complete');
    setClusters(counts);
  } catch (error) {
    observe('failed');
    throw error;
  }
}

function setClusters(counts: Readonly<Record<string, number>>): void {
  const scope = activeScope();
  if (scope === undefined) return;
  const { functionName, metrics } = scope;
  metrics.set('resyncTime', { function: functionName }, Date.now() / 1000);
  for (const [outcome, count] of Object.entries(counts)) {
    metrics.set('resyncClusters', { function: functionName, outcome }, count);
  }
}
