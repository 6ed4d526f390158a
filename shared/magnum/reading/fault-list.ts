import type { Fault } from '../../contract/errors.ts';
import type { Subject } from './subject.ts';

/** Enough for a screen; a request with more faults is not mended one by one. */
const maximumFaults = 50;

/** An intent with what the user should know of it, one sentence each; or every reason why there is none. */
export type Outcome<Intent> =
  | { readonly intent: Intent; readonly notes: readonly string[] }
  | { readonly faults: readonly [Fault, ...Fault[]] };

/** What an existing cluster may live on with although a new one may not have it. */
interface Concern {
  /** Continues the subject's title, without the final dot. */
  readonly problem: string;
  /** What happens in an existing cluster, e.g. `v3.32.1 is used`. */
  readonly instead: string;
  readonly hint?: string;
}

/** Collects all faults of a request, each once, and what is tolerated. */
export class FaultList {
  readonly #faults: Fault[] = [];
  readonly #notes = new Set<string>();
  #omitted = 0;

  /** `problem` continues the subject's title, without the final dot: ` is missing`, `: "x" is not a number`. */
  add(subject: Subject, problem: string, hint?: string): void {
    const message = `${subject.title}${problem}.`;
    if (this.#faults.some((fault) => fault.message === message)) return;
    if (this.#faults.length >= maximumFaults) {
      this.#omitted += 1;
      return;
    }
    this.#faults.push({ code: subject.code, message, field: subject.path, ...(hint === undefined ? {} : { hint }) });
  }

  /** A fault of something new, a note on something that exists: labels of a cluster cannot be changed any more. */
  addOrNote(subject: Subject, existing: boolean, { problem, instead, hint }: Concern): void {
    if (existing) this.#notes.add(`${subject.title}${problem}; ${instead}.`);
    else this.add(subject, problem, hint);
  }

  hasFaultOf(subject: Subject): boolean {
    return this.#faults.some((fault) => fault.field === subject.path);
  }

  outcome<Intent>(intent: Intent): Outcome<Intent> {
    const [first, ...others] = this.#faults;
    if (first === undefined) return { intent, notes: [...this.#notes] };
    if (this.#omitted === 0) return { faults: [first, ...others] };
    return { faults: [first, ...others, { code: first.code, message: `${this.#omitted} more faults are not shown.` }] };
  }
}
