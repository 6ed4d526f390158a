import { once } from 'node:events';
import { serviceCloud } from '../shared/host/function-environment.ts';
import { createLogger } from '../shared/host/logger.ts';
import { type Arguments, readArguments, usage } from './command-line.ts';
import { reportLine } from './report-line.ts';

process.exitCode = await run(readArguments(process.argv.slice(2)));

async function run(given: Arguments | undefined): Promise<number> {
  if (given === undefined) {
    process.stderr.write(usage);
    return 2;
  }
  if (given.help) {
    process.stdout.write(usage);
    return 0;
  }
  try {
    await serve(given);
    return 0;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
}

async function serve(given: Arguments): Promise<void> {
  const interrupted = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  // Loading client-node takes most of a second, which --help need not wait for.
  const { startLocalSystem } = await import('./start-local-system.ts');
  const { kubeconfig: path, context, port, address, manifests, listener } = given;
  const system = await startLocalSystem({
    kubeconfig: { path, context },
    port,
    address,
    ...(manifests === undefined ? {} : { manifests }),
    listener,
    functions: given.function,
    serviceCloud: serviceCloud(process.env),
    authentication: given['no-auth'] ? 'none' : 'tokens',
    onReport: (report) => print(reportLine(report, process.stdout.columns)),
    logger: createLogger({ level: given['log-level'], destination: process.stderr }),
  });
  for (const [name, url] of Object.entries(system.functions)) print(`${name.padEnd(8)} POST ${url}`);
  print(`broker   POST ${system.broker.url}, what could not be delivered: GET ${system.url}/dead-letters`);
  print(given['no-auth'] ? 'callers are not checked' : 'callers need a token for the audience magnum-functions');
  print('waiting for changes; Ctrl-C stops');
  await interrupted;
  await system.stop();
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
