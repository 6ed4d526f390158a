import type { KubernetesObject } from '../../shared/kubernetes/kubernetes-object.ts';
import type { ListOptions } from '../../shared/kubernetes/list.ts';

/**
 * Whether a list would give an object.
 * @throws Error for a selector that the driver has not used so far, which is a defect of the plan
 */
export function matchesSelectors({ metadata }: KubernetesObject, options: ListOptions): boolean {
  const { namespace, labelSelector = '', fieldSelector = '' } = options;
  if (namespace !== undefined && metadata?.namespace !== namespace) return false;
  const labels = metadata?.labels ?? {};
  return (
    termsOf(labelSelector).every(({ key, value }) => (value === undefined ? key in labels : labels[key] === value)) &&
    termsOf(fieldSelector).every(({ key, value }) => {
      if (key !== 'metadata.name')
        throw new Error(`A plan cannot tell what the field selector ${fieldSelector} selects.`);
      return metadata?.name === value;
    })
  );
}

interface Term {
  readonly key: string;
  /** undefined = any. */
  readonly value: string | undefined;
}

function termsOf(selector: string): Term[] {
  if (selector === '') return [];
  if (/[!()]/.test(selector)) throw new Error(`A plan cannot tell what the selector ${selector} selects.`);
  return selector.split(',').map((term) => {
    const [key = '', value] = term.split(/==?/);
    return { key, value };
  });
}
