import { plainText, sentence } from './sentence.ts';

/** Something that went wrong. */
export interface Finding {
  /** E.g. `Machine x of nodegroup y`. */
  readonly subject: string;
  readonly message: string;
  /** The nodegroup that it is about; null = the cluster as a whole. */
  readonly nodegroup: string | null;
  /** When it was seen, in milliseconds since the epoch. */
  readonly at: number | null;
  /** Every nodegroup waits for what is wrong here. @default only the one that it is about */
  readonly concernsAll?: boolean;
  /** Nobody tries it again. @default it may still come right */
  readonly isFinal?: boolean;
}

/** Users wait for what does not come, where they are not told. */
const advice = 'A server that failed is not tried again: when the cause is gone, its machine has to be replaced.';

/** A sentence a cause, the newest first and those without a time last: ten machines that lack the same quota are one. */
export function sentencesOf(findings: readonly Finding[]): string[] {
  const causes = new Map<string, { readonly finding: Finding; readonly subjects: Set<string> }>();
  for (const finding of withoutWrapped(findings).toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0))) {
    // CAPO writes the same cause with another first letter into two conditions.
    const key = JSON.stringify([finding.nodegroup, plainText(finding.message).toLowerCase()]);
    const cause = causes.get(key) ?? { finding, subjects: new Set() };
    cause.subjects.add(finding.subject);
    causes.set(key, cause);
  }
  const sentences = Array.from(causes.values(), ({ finding, subjects }) => {
    const more = subjects.size === 1 ? '' : ` and ${subjects.size - 1} more`;
    return sentence(`${finding.subject}${more}`, finding.message);
  });
  return findings.some(({ isFinal }) => isFinal) ? [...sentences, advice] : sentences;
}

/** CAPO writes a cause into one condition, and the same with more words before it into another. */
function withoutWrapped(findings: readonly Finding[]): readonly Finding[] {
  const text = ({ message }: Finding) => plainText(message).toLowerCase();
  const wraps = (outer: Finding, inner: Finding) =>
    outer.subject === inner.subject && text(outer).endsWith(`: ${text(inner)}`);
  return findings.filter((finding) => !findings.some((other) => wraps(finding, other)));
}

/** Those that a nodegroup's own reason tells. */
export function findingsOf(findings: readonly Finding[], nodegroup: string): Finding[] {
  return findings.filter((finding) => finding.nodegroup === nodegroup || finding.concernsAll === true);
}
