import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildFunctions } from '../../scripts/build.ts';
import { type FunctionName, functionNames } from '../../shared/contract/event-types.ts';
import { lastingPort } from '../cloud/workload/lasting-ports.ts';
import { type FunctionProcess, type FunctionProcessOptions, startFunction } from '../functions/function-process.ts';

export interface FunctionProcessesOptions {
  /** `https://host:port` of the API server. */
  readonly server: string;
  /** PEM. */
  readonly caCertificate: string;
  /** Tokens of the functions' ServiceAccounts by function name. */
  readonly tokens: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
}

/** Every function as a process of its own. */
export class FunctionProcesses {
  readonly #options: FunctionProcessesOptions;
  readonly #directory: string;
  readonly #running = new Map<FunctionName, FunctionProcess>();

  private constructor(options: FunctionProcessesOptions, directory: string) {
    this.#options = options;
    this.#directory = directory;
  }

  static async start(options: FunctionProcessesOptions): Promise<FunctionProcesses> {
    const directory = await mkdtemp(join(tmpdir(), 'magnum-functions-'));
    await buildFunctions(directory);
    const processes = new FunctionProcesses(options, directory);
    // It is still free when one that was killed comes back.
    await Promise.all(functionNames.map(async (name) => processes.#launch(name, await lastingPort())));
    return processes;
  }

  /** @throws Error for one that does not run */
  get(name: FunctionName): FunctionProcess {
    const found = this.#running.get(name);
    if (found === undefined) throw new Error(`The ${name} function does not run.`);
    return found;
  }

  get urls(): Record<string, string> {
    return Object.fromEntries(functionNames.map((name) => [name, this.get(name).url]));
  }

  /** Kills a function in the middle of what it does, and starts it anew at the same address. */
  async crash(name: FunctionName): Promise<void> {
    const startAgain = await this.kill(name);
    await startAgain();
  }

  /** Kills a function in the middle of what it does; returns what starts it anew at the same address. */
  async kill(name: FunctionName): Promise<() => Promise<void>> {
    const killed = this.get(name);
    this.#running.delete(name);
    await killed.stop('SIGKILL');
    return () => this.#launch(name, Number(new URL(killed.url).port));
  }

  /** Another process of a function, at an address of its own; whoever starts it stops it. */
  startAnother(name: FunctionName, options: Partial<FunctionProcessOptions> = {}): Promise<FunctionProcess> {
    const { tokens, ...rest } = this.#options;
    const bundle = join(this.#directory, `${name}.cjs`);
    return startFunction({ ...rest, bundle, token: tokens[name] ?? '', ...options });
  }

  async stop(): Promise<void> {
    await Promise.all(Array.from(this.#running.values(), (one) => one.stop()));
    await rm(this.#directory, { recursive: true, force: true });
  }

  async #launch(name: FunctionName, port: number): Promise<void> {
    this.#running.set(name, await this.startAnother(name, { port, endsWithParent: true }));
  }
}
