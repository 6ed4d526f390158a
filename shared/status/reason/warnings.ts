import type { ClusterState } from '../cluster-state.ts';
import type { Finding } from './finding.ts';
import { plainText } from './sentence.ts';

/** What Events of type Warning say. They last about an hour, and come last among the reasons. */
export function warnings({ events, machines }: ClusterState): Finding[] {
  const telling = (events ?? []).filter(({ isWarning, message }) => isWarning && plainText(message) !== '');
  return telling.map(({ kind, name, message, at }) => {
    const machine = machines.find((one) => one.name === name || one.infrastructureName === name);
    return { subject: `${kind} ${name}`, message, nodegroup: machine?.nodegroup ?? null, at };
  });
}
