import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';

const script = fileURLToPath(new URL('./sherlock-rival.py', import.meta.url));

export interface SherlockOptions {
  /** From `sherlockPython`. */
  readonly python: string;
  readonly namespace: string;
  readonly name: string;
  /** Seconds for which sherlock holds; it never renews. */
  readonly expire: number;
  /** Seconds for which it tries. */
  readonly timeout: number;
}

/** A process of the original driver, as far as its lock goes. */
export class SherlockRival {
  readonly #process: ChildProcessByStdio<Writable, Readable, null>;
  readonly #answers: AsyncIterator<string>;

  private constructor({ python, namespace, name, expire, timeout }: SherlockOptions) {
    this.#process = spawn(python, [script, namespace, name, String(expire), String(timeout)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, KUBECONFIG: inject('kubeconfigPath') },
    });
    this.#answers = createInterface({ input: this.#process.stdout })[Symbol.asyncIterator]();
  }

  /** Starts the process and waits until it takes commands. */
  static async start(options: SherlockOptions): Promise<SherlockRival> {
    const rival = new SherlockRival(options);
    await rival.#answer();
    return rival;
  }

  /** `acquired`, `timeout`, `released`, `counted`; `ended` when it died, with its reason on standard error. */
  async ask(command: 'acquire' | 'release' | `count ${number}`): Promise<string> {
    this.#process.stdin.write(`${command}\n`);
    return this.#answer();
  }

  async #answer(): Promise<string> {
    const { value, done } = await this.#answers.next();
    return done ? 'ended' : value;
  }

  kill(): void {
    this.#process.kill('SIGKILL');
  }
}
