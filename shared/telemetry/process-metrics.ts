import type { Metrics } from './metrics.ts';

/** Measures the process itself. */
export function measureProcess(metrics: Metrics): void {
  const { user, system } = process.cpuUsage();
  metrics.set('memory', {}, process.memoryUsage.rss());
  metrics.set('processStart', {}, performance.timeOrigin / 1000);
  metrics.set('processorSeconds', {}, (user + system) / 1e6);
  metrics.set('eventLoopSeconds', {}, performance.eventLoopUtilization().active / 1000);
}
