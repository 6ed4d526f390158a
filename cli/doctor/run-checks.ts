import { ForbiddenError } from '../../shared/kubernetes/errors.ts';
import { sentenceOf } from '../errors.ts';
import { type Check, type Finding, failure, skipped, type Verdict } from './check.ts';
import type { CheckId } from './check-ids.ts';
import type { Surroundings } from './surroundings.ts';

/** What became of one check. */
export interface CheckResult {
  readonly check: Check;
  /** The worst of its findings. */
  readonly verdict: Verdict;
  readonly findings: readonly Finding[];
}

const worstFirst: readonly Verdict[] = ['failed', 'unknown', 'warning', 'skipped', 'ok'];
/** After these it makes sense to look further. */
const passable: readonly Verdict[] = ['ok', 'warning'];

/** Runs checks side by side, each once those that it needs are done; a check that fails itself is a result. @throws nothing */
export async function runChecks(
  checks: readonly Check[],
  surroundings: Omit<Surroundings, 'signal'>,
  signalOf: () => AbortSignal,
): Promise<readonly CheckResult[]> {
  const results = new Map<CheckId, Promise<CheckResult>>();
  for (const check of checks) {
    const needed = (check.needs ?? []).flatMap((id) => results.get(id) ?? []);
    results.set(
      check.id,
      runCheck(check, needed, () => check.run({ ...surroundings, signal: signalOf() })),
    );
  }
  return Promise.all(results.values());
}

async function runCheck(
  check: Check,
  needed: readonly Promise<CheckResult>[],
  run: () => ReturnType<Check['run']>,
): Promise<CheckResult> {
  const missing = (await Promise.all(needed)).filter(({ verdict }) => !passable.includes(verdict));
  const ids = missing.map((result) => result.check.id).join(', ');
  const findings = missing.length > 0 ? [skipped(`It needs ${ids}.`)] : await run().catch(findingOf);
  const verdict = worstFirst.find((each) => findings.some((finding) => finding.verdict === each)) ?? 'ok';
  return { check, verdict, findings };
}

/** What somebody may not see may well be good. */
function findingOf(error: unknown): readonly Finding[] {
  const message = sentenceOf(error);
  if (error instanceof ForbiddenError) return [{ verdict: 'unknown', message }];
  return [failure(`It could not be checked: ${message}`)];
}

/** The checks with these names and all that they need, in their order. */
export function chosenChecks(checks: readonly Check[], ids: readonly CheckId[]): readonly Check[] {
  const chosen = new Set(ids);
  // Each stands after those that it needs.
  for (const check of checks.toReversed()) if (chosen.has(check.id)) for (const id of check.needs ?? []) chosen.add(id);
  return checks.filter(({ id }) => chosen.has(id));
}
