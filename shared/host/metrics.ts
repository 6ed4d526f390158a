import type { Outcome } from './answer.ts';
import type { CallCounter } from './call-counter.ts';

/** One event that was answered. */
export interface Observation {
  readonly functionName: string;
  /** Known type, or `other`: what senders make up must not grow the memory. */
  readonly type: string;
  readonly outcome: Outcome;
  readonly status: number;
  readonly seconds: number;
  readonly calls: CallCounter;
}

const help: Readonly<Record<string, string>> = {
  magnum_function_events_total: 'Events answered.',
  magnum_function_event_seconds_sum: 'Time from the arrival of an event to its answer.',
  magnum_function_event_seconds_count: 'Events whose time is in the sum.',
  magnum_function_calls_total: 'Calls to other systems while events were handled.',
};

/** Counters of one host in Prometheus' text format. */
export class Metrics {
  readonly #series = new Map<string, Map<string, number>>(Object.keys(help).map((name) => [name, new Map()]));

  observe({ functionName, type, outcome, status, seconds, calls }: Observation): void {
    const event = `function="${functionName}",type="${type}"`;
    this.#add('magnum_function_events_total', `${event},outcome="${outcome}",status="${status}"`, 1);
    this.#add('magnum_function_event_seconds_sum', event, seconds);
    this.#add('magnum_function_event_seconds_count', event, 1);
    this.#add('magnum_function_calls_total', `function="${functionName}",target="kubernetes"`, calls.kubernetes);
    this.#add('magnum_function_calls_total', `function="${functionName}",target="openstack"`, calls.openstack);
  }

  render(inFlight: number): string {
    const lines = ['# HELP magnum_function_events_in_flight Events that are being handled.'];
    lines.push('# TYPE magnum_function_events_in_flight gauge', `magnum_function_events_in_flight ${inFlight}`);
    for (const [name, series] of this.#series) {
      lines.push(`# HELP ${name} ${help[name]}`, `# TYPE ${name} counter`);
      for (const [labels, value] of series) lines.push(`${name}{${labels}} ${value}`);
    }
    return `${lines.join('\n')}\n`;
  }

  #add(name: string, labels: string, value: number): void {
    const series = this.#series.get(name);
    series?.set(labels, (series.get(labels) ?? 0) + value);
  }
}
