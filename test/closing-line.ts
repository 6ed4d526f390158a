import { writeSync } from 'node:fs';
import type { Reporter, SerializedError, TestCase, TestModule, Vitest } from 'vitest/node';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Prints `tests: N passed, N failed` as the very last line of a run, for whoever reads only that. */
export default class ClosingLine implements Reporter {
  #counts: Counts = { passed: 0, failed: 0, skipped: 0 };

  onInit(vitest: Vitest): void {
    // At the end of the process, since other reporters print after onTestRunEnd; a run that is red for another reason than a test, as a
    // global setup that failed, must not look green.
    process.once('exit', (code) => {
      const failed = code === 0 ? this.#counts.failed : Math.max(this.#counts.failed, 1);
      if (!vitest.config.watch) {
        writeSync(process.stdout.fd, `${closingLine({ ...this.#counts, failed })}\n`);
      }
    });
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    this.#counts = countTests(modules, unhandledErrors.length);
  }
}

function closingLine({ passed, failed, skipped }: Counts): string {
  return `tests: ${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** A file that fails outside of its tests, and an unhandled error, count as one failure each: nothing red may look green. */
function countTests(modules: readonly TestModule[], unhandledErrors: number): Counts {
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
