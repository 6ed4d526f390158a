import type { TraceContext } from './trace-context.ts';

/** As OTEL_TRACES_SAMPLER names them. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface SamplerSettings {
  readonly name: (typeof samplerNames)[number];
  /** Share of the traces that the ratio samplers take, 0 to 1. */
  readonly ratio: number;
}

/** Decides whether the spans of a trace are recorded; the parent is undefined where the trace begins here. */
export type Sampler = (traceId: string, parent: TraceContext | undefined) => boolean;

const parentBased = 'parentbased_';

/** The samplers of OpenTelemetry's specification. Those by ratio decide by the trace id, so that all who use the same ratio agree. */
export function createSampler({ name, ratio }: SamplerSettings): Sampler {
  if (name.startsWith(parentBased)) {
    const ofRoots = rootSampler(name.slice(parentBased.length), ratio);
    return (traceId, parent) => (parent === undefined ? ofRoots(traceId) : parent.sampled);
  }
  return rootSampler(name, ratio);
}

function rootSampler(name: string, ratio: number): (traceId: string) => boolean {
  if (name === 'always_on') return () => true;
  if (name === 'always_off') return () => false;
  // The last seven bytes are those that are random in every trace id (W3C Trace Context level 2).
  const bound = Math.floor(ratio * 2 ** 48);
  return (traceId) => Number.parseInt(traceId.slice(-12), 16) < bound;
}
