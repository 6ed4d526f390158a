import { managementNamespace } from '../../shared/render/metadata.ts';
import type { AuditedCall } from './audited-call.ts';
import { rightText } from './right.ts';

/** Where rights of our accounts hold: in their namespace, and for reviews, which have none. */
const scope = new RegExp(`/namespaces/${managementNamespace}(/|$)|/(tokenreviews|subjectaccessreviews)\\b`);

/**
 * The calls that were refused for a right that is missing. An API server that has just started refuses for a moment what it grants:
 * a right that was used in the same place is none that is missing.
 * @param used rights of calls that were not refused, as `rightText` has them
 */
export function refusedRights(refused: readonly AuditedCall[], used: ReadonlySet<string>): readonly string[] {
  const missing = refused.filter((call) => !(used.has(rightText(call)) && scope.test(call.path)));
  return [...new Set(missing.map((call) => `${rightText(call)}, ${call.path}`))];
}
