import type { LoadBalancerIntent } from '../cluster-intent.ts';
import { loadBalancerAlgorithms } from '../labels/network.ts';
import type { ClusterReading } from '../reading/snapshot-reading.ts';

type Algorithm = LoadBalancerIntent['algorithm'];

const amphora: readonly Algorithm[] = ['ROUND_ROBIN', 'LEAST_CONNECTIONS', 'SOURCE_IP'];

/** What Octavia's own providers can do; the first one is the default. Of others Octavia alone knows. */
const algorithmsOf = new Map<string, readonly Algorithm[]>([
  ['amphora', amphora],
  ['amphorav2', amphora],
  ['octavia', amphora],
  ['ovn', ['SOURCE_IP_PORT']],
]);

/** Load balancers for Services. Unlike the API's, they need a provider by name (original-facts §10). */
export function loadBalancerIntent(reading: ClusterReading): LoadBalancerIntent {
  const { labels } = reading;
  const provider = labels.read('octavia_provider') ?? 'amphorav2';
  return { provider, algorithm: algorithm(reading, provider), healthMonitor: labels.read('octavia_lb_healthcheck') };
}

function algorithm({ labels, faults, existing }: ClusterReading, provider: string): Algorithm {
  const possible = algorithmsOf.get(provider) ?? loadBalancerAlgorithms;
  const chosen = labels.read('octavia_lb_algorithm');
  const value = loadBalancerAlgorithms.find((name) => name === chosen) ?? possible[0] ?? 'ROUND_ROBIN';
  if (!possible.includes(value)) {
    faults.addOrNote(labels.subject('octavia_lb_algorithm'), existing && provider !== 'ovn', {
      problem: `: the provider ${provider} does not know ${value}, only ${possible.join(', ')}`,
      instead: 'Octavia will refuse load balancers for Services',
    });
  }
  return value;
}
