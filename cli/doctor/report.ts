import { redactText } from '../../shared/host/redaction.ts';
import type { Paint, Style } from '../output/paint.ts';
import { table } from '../output/table.ts';
import type { Verdict } from './check.ts';
import type { CheckResult } from './run-checks.ts';

const marks: Readonly<Record<Verdict, readonly [mark: string, style: Style]>> = {
  ok: ['✓', 'green'],
  warning: ['!', 'yellow'],
  failed: ['✗', 'red'],
  unknown: ['?', 'yellow'],
  skipped: ['-', 'dim'],
};

/** Verdicts whose remedy is of use. */
const remediable: readonly Verdict[] = ['failed', 'warning'];

/** A line for each finding, and under a check that is not good what to do. */
export function reportLines(results: readonly CheckResult[], paint: Paint): readonly string[] {
  const rows = results.flatMap(({ check, verdict, findings }) => [
    ...findings.map((finding, index) => {
      const [mark, style] = marks[finding.verdict];
      return [paint(style, mark), index === 0 ? check.id : '', redactText(finding.message)];
    }),
    ...(remediable.includes(verdict) ? [['', '', paint('dim', `→ ${check.remedy}`)]] : []),
  ]);
  const [, ...lines] = table(['', '', ''], rows);
  return [...lines, '', summary(results)];
}

function summary(results: readonly CheckResult[]): string {
  const counts = Map.groupBy(results, ({ verdict }) => verdict);
  const words = (['ok', 'failed', 'warning', 'unknown', 'skipped'] as const).flatMap((verdict) => {
    const count = counts.get(verdict)?.length ?? 0;
    return count === 0 ? [] : [`${count} ${said[verdict]}`];
  });
  return `${results.length} ${results.length === 1 ? 'check' : 'checks'}: ${words.join(', ')}.`;
}

const said: Readonly<Record<Verdict, string>> = {
  ok: 'good',
  failed: 'failed',
  warning: 'with a warning',
  unknown: 'not to be seen by this user',
  skipped: 'skipped',
};

/** The same for scripts. */
export function reportDocument(results: readonly CheckResult[]): object {
  return {
    checks: results.map(({ check, verdict, findings }) => ({
      id: check.id,
      verdict,
      findings: findings.map((finding) => ({ ...finding, message: redactText(finding.message) })),
      remedy: remediable.includes(verdict) ? check.remedy : null,
    })),
  };
}
