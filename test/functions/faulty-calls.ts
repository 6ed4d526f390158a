import { expect } from 'vitest';
import type { FunctionName } from '../../shared/contract/event-types.ts';
import type { ExampleEvent } from './example-event.ts';
import type { FunctionStage } from './function-stage.ts';
import { startKillingProxy } from './killing-proxy.ts';
import { acceptedStackId, type EventAnswer } from './send-event.ts';

/** More than any operation has; the loop ends with the first operation that has fewer. */
const mostCalls = 60;
/** What may be answered: a reply, or that the sender should come again. */
const goodAnswers = [200, 429, 503];
/** Sentences of one line, and nothing of the program. */
const readable = /^[A-Z"][^\n]*[.!?)]$/;

export interface FaultyCalls {
  readonly name: FunctionName;
  /** Status that the API server or a service of OpenStack answers with. */
  readonly status: number;
  /** Prepares an operation of its own for each attempt. */
  readonly next: () => Promise<ExampleEvent>;
  /** Looks at what is there once the operation was accepted after all. */
  readonly check: (stackId: string, event: ExampleEvent) => Promise<void>;
}

/**
 * Lets the first call of an operation fail, then the second one of another operation, and so on, as often as it is made;
 * expects a readable answer, and that the same event ends well once the fault is gone.
 * @returns the calls that failed, e.g. `GET /api/v1/namespaces/magnum-system/secrets/…`
 */
export async function failEachCall(stage: FunctionStage, calls: FaultyCalls): Promise<readonly string[]> {
  const { name, status, next, check } = calls;
  const faulty = new FaultyCall(status);
  const { server, caCertificate } = stage.controlPlane;
  const proxy = await startKillingProxy({ server, caCertificate, instead: (call) => faulty.answer(call) });
  const victim = await stage.startAnother({ name, server: proxy.server, caCertificate: proxy.caCertificate });
  const failed: string[] = [];
  try {
    for (let count = 1; count <= mostCalls; count += 1) {
      const event = await next();
      faulty.aimAt(count);
      stage.cloud.faults.inject({
        when: ({ method, path }) => faulty.answer(`${method} ${path}`) !== undefined,
        status,
        times: Number.POSITIVE_INFINITY,
      });
      const answer = await stage.sendOnce(event, victim.url);
      const target = faulty.disarm();
      stage.cloud.faults.clear();
      expectReadable(answer, target);
      const last = await stage.send(event, victim.url);
      await check(acceptedStackId(last), event);
      if (target === undefined) return failed;
      failed.push(target);
    }
  } finally {
    await victim.stop();
    await proxy.stop();
  }
  throw new Error(`The operation makes more than ${mostCalls} different calls.`);
}

/** Counts the different calls of an operation, and lets one of them fail. */
class FaultyCall {
  readonly #status: number;
  readonly #seen: string[] = [];
  #count = 0;

  constructor(status: number) {
    this.#status = status;
  }

  aimAt(count: number): void {
    this.#seen.length = 0;
    this.#count = count;
  }

  /** The call that has failed; undefined where there are not so many. */
  disarm(): string | undefined {
    const target = this.#seen[this.#count - 1];
    this.#count = 0;
    return target;
  }

  answer(call: string): number | undefined {
    if (this.#count === 0) return undefined;
    const signature = call.split('?')[0] ?? call;
    if (!this.#seen.includes(signature)) this.#seen.push(signature);
    return this.#seen[this.#count - 1] === signature ? this.#status : undefined;
  }
}

function expectReadable({ status, type, data }: EventAnswer, target: string | undefined): void {
  const what = `${target}: ${status} ${type} ${JSON.stringify(data)}`;
  expect(goodAnswers, what).toContain(status);
  if (!type.endsWith('.operation.rejected.v1')) return;
  const { message }: { readonly message?: unknown } = Object(data);
  expect(String(message), what).toMatch(readable);
}
