import type { LabelSelector } from './watched-resource.ts';

/** A selector as the API server takes it in a query, e.g. `app=x,cluster-uuid`; undefined selects everything. */
export function labelQuery(selector: LabelSelector | undefined): string | undefined {
  const equal = Object.entries(selector?.matchLabels ?? {}).map(([key, value]) => `${key}=${value}`);
  const expressions = (selector?.matchExpressions ?? []).map(({ key, operator, values = [] }) => {
    if (operator === 'Exists') return key;
    if (operator === 'DoesNotExist') return `!${key}`;
    return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values.join(',')})`;
  });
  const terms = [...equal, ...expressions];
  return terms.length === 0 ? undefined : terms.join(',');
}
