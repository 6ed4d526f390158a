import { isLabelValue, isQualifiedName } from '../../../magnum/syntax/kubernetes-syntax.ts';
import { splitList } from '../../../magnum/syntax/scalar.ts';
import type { Parse } from '../../../magnum/syntax/text-format.ts';

/** Labels that a node of the management cluster has to have. */
export type NodeSelector = Readonly<Record<string, string>>;

/** Reads Magnum's option `[auto_scaling] node_selector`: `key=value`, separated by commas; '' = any node. */
export const nodeSelector: Parse<NodeSelector> = (text) => {
  const labels = new Map<string, string>();
  for (const entry of splitList(text)) {
    const [key = '', value, ...more] = entry.split('=').map((part) => part.trim());
    const isLabel = value !== undefined && more.length === 0 && isQualifiedName(key) && isLabelValue(value);
    if (!isLabel) {
      return { problem: `is no list of labels such as pool=infra,zone=a (${JSON.stringify(entry.slice(0, 80))})` };
    }
    if (labels.has(key)) return { problem: `names the label ${key} twice` };
    labels.set(key, value);
  }
  return { value: Object.fromEntries(labels) };
};

/** The same as text again, always in the same order. */
export function selectorText(selector: NodeSelector): string {
  return Object.entries(selector)
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(',');
}
