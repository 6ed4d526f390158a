import type { Identity } from '../manifest.ts';

type Labels = Readonly<Record<string, string>>;

export const partOfCilium = { 'app.kubernetes.io/part-of': 'cilium' } as const;

/** Name and labels of an object that belongs to a part, e.g. of its workload or its Service. */
export function partIdentity(name: string, selector: Labels): Identity {
  return { name, labels: partLabels(name, selector) };
}

/** The labels by which a part's pods are selected, and those that say what it is. */
export function partLabels(name: string, selector: Labels): Record<string, string> {
  return { ...selector, 'app.kubernetes.io/name': name, ...partOfCilium };
}
