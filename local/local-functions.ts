import { createFunction } from '../functions/create/handler.ts';
import { healthFunction } from '../functions/health/handler.ts';
import { statusFunction } from '../functions/status/handler.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { EventFunction } from '../shared/host/event-function.ts';
import type { SinkSettings } from '../shared/host/event-sink.ts';
import type { KubernetesClient } from '../shared/kubernetes/client.ts';

/** What can be set of the functions; see docs/configuration.md for their defaults. */
export interface FunctionTimes {
  readonly leaseSeconds?: number | undefined;
  readonly statusWindowMs?: number | undefined;
  readonly healthWindowMs?: number | undefined;
  readonly healthProbeTimeoutMs?: number | undefined;
}

export interface LocalFunctionsOptions extends FunctionTimes {
  readonly kubernetes: KubernetesClient;
  /** Where reports go that answer no event. */
  readonly sink: SinkSettings;
}

/** Every function that there is. */
export function localFunctions(options: LocalFunctionsOptions): readonly EventFunction[] {
  const { kubernetes, sink, leaseSeconds, statusWindowMs, healthWindowMs, healthProbeTimeoutMs } = options;
  const { version } = packageJson;
  return [
    createFunction({ kubernetes, version, leaseSeconds }),
    statusFunction({ kubernetes, version, leaseSeconds, sink, windowMs: statusWindowMs }),
    healthFunction({ kubernetes, sink, windowMs: healthWindowMs, probeTimeoutMs: healthProbeTimeoutMs }),
  ];
}
