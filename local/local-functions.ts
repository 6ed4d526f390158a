import { createFunction } from '../functions/create/handler.ts';
import { deleteFunction } from '../functions/delete/handler.ts';
import { healthFunction } from '../functions/health/handler.ts';
import { resizeFunction } from '../functions/resize/handler.ts';
import { statusFunction } from '../functions/status/handler.ts';
import { upgradeFunction } from '../functions/upgrade/handler.ts';
import packageJson from '../package.json' with { type: 'json' };
import type { ServiceCloud } from '../shared/cloud/service-session.ts';
import type { EventFunction } from '../shared/host/event-function.ts';
import type { SinkSettings } from '../shared/host/event-sink.ts';
import type { KubernetesClient } from '../shared/kubernetes/client.ts';

/** What can be set of the functions; see docs/variables.md for their defaults. */
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
  /** The functions' own credential in the cloud. @default none */
  readonly serviceCloud?: ServiceCloud | undefined;
}

/** Every function that there is. */
export function localFunctions(options: LocalFunctionsOptions): readonly EventFunction[] {
  const { kubernetes, sink, leaseSeconds, serviceCloud, statusWindowMs, healthWindowMs, healthProbeTimeoutMs } =
    options;
  const { version } = packageJson;
  const operation = { kubernetes, leaseSeconds, serviceCloud };
  return [
    createFunction({ ...operation, version }),
    resizeFunction(operation),
    upgradeFunction({ ...operation, version }),
    deleteFunction(operation),
    statusFunction({ ...operation, version, sink, windowMs: statusWindowMs }),
    healthFunction({ kubernetes, sink, windowMs: healthWindowMs, probeTimeoutMs: healthProbeTimeoutMs }),
  ];
}
