import { writeSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Prints `tests: N passed, N failed` as the very last line of a run, for whoever reads only that. */
export default class ClosingLine implements Reporter {
  #line = closingLine({ passed: 0, failed: 1, skipped: 0 });

  onInit(vitest: Vitest): void {
    // A global setup that fails ends the run without onTestRunEnd, and other reporters print after it.
    process.once('exit', () => {
      if (!vitest.config.watch) {
        writeSync(process.stdout.fd, `${this.#line}\n`);
      }
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#line = closingLine(countTests(modules, unhandledErrors.length));
  }
}

export function closingLine({ passed, failed, skipped }: Counts): string {
  return `tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A file that fails outside of its tests, and an unhandled error, count as one failure each: nothing red may look green. */
export function countTests(modules: readonly TestModule[], unhandledErrors: number): Counts {
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const count = (state: ReturnType<TestCase['result']>['state']) =>
    tests.filter((test) => test.result().state === state).length;
  const broken = modules.filter((module) => module.state() === 'failed' && !hasFailedTest(module)).length;
  return {
    passed: count('passed'),
    failed: count('failed') + broken + unhandledErrors,
    skipped: count('skipped') + count('pending'),
  };
}

function hasFailedTest(module: TestModule): boolean {
  return !module.children.allTests('failed').next().done;
}
