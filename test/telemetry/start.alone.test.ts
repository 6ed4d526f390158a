import { expect, test } from 'vitest';
import { resources } from '../../shared/kubernetes/resources.ts';
import { changeOf, post } from '../bench/post-change.ts';
import { median } from '../bench/samples.ts';
import { stageOfFile } from '../functions/stage-of-file.ts';
import { startCollector } from './collector.ts';

const stage = stageOfFile();

/** Odd, so that the median is a measured value. */
const rounds = 15;
/** A third of what loading OpenTelemetry costs, and more than two equal processes differ by. */
const mostRatio = 1.15;

interface Start {
  readonly ready: number;
  readonly answered: number;
}

async function coldStart(variables: Readonly<Record<string, string>>): Promise<Start> {
  const startedAt = performance.now();
  const started = await stage().startAnother({ name: 'health', variables });
  await post(started.url, changeOf(resources.machine, 'kube-abcde-x'));
  const answered = performance.now() - startedAt;
  await started.stop('SIGKILL');
  return { ready: started.readyInMs, answered };
}

test('an endpoint of OpenTelemetry makes neither the start nor the first event of a function slower', async () => {
  const collector = await startCollector();
  const without: Start[] = [];
  const withEndpoint: Start[] = [];
  // In turn, so that both meet the same load; the first of each reads its bundle from the disk.
  for (let round = 0; round <= rounds; round += 1) {
    without.push(await coldStart({}));
    withEndpoint.push(await coldStart({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }));
  }
  await collector.stop();
  for (const what of ['ready', 'answered'] as const) {
    const [plain, exporting] = [without, withEndpoint].map((starts) => median(starts.slice(1).map((one) => one[what])));
    const ratio = (exporting ?? 0) / (plain ?? 0);
    process.stderr.write(`telemetry: ${what} ${plain?.toFixed(0)} ms, with an endpoint × ${ratio.toFixed(2)}\n`);
    expect(ratio, what).toBeLessThan(mostRatio);
  }
});
