import { afterAll, afterEach, beforeAll } from 'vitest';
import { checkRights } from '../rights/check-rights.ts';
import { type MagnumStage, type MagnumStageOptions, startMagnumStage } from './magnum-stage.ts';
import { RowLog } from './row-log.ts';

/** The stage of a test file, with a record of Magnum's rows. @throws Error before the tests run */
export type MagnumOfFile = () => MagnumStage & { readonly rows: RowLog };

/** Starts real Magnum and all below it for one test file; the logs are kept where a test fails. The file fails where a function was forbidden something. */
export function magnumOfFile(options: MagnumStageOptions = {}): MagnumOfFile {
  let stage: ReturnType<MagnumOfFile> | undefined;
  let hasFailed = false;
  beforeAll(async () => {
    const began = performance.now();
    const onProgress = (line: string) => {
      process.stderr.write(`e2e: ${Math.round((performance.now() - began) / 1000)} s ${line}\n`);
    };
    const started = await startMagnumStage({ onProgress, ...options });
    const rows = new RowLog({ python: started.environment.python, socket: started.database.socket });
    stage = { ...started, rows };
  }, 900_000);
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === 'fail';
  });
  afterAll(async () => {
    stage?.rows.stop();
    try {
      if (stage !== undefined) await checkRights(stage.controlPlane);
    } finally {
      await stage?.stop({ keep: hasFailed });
    }
  }, 120_000);
  return () => {
    if (stage === undefined) throw new Error('The stage is there only while tests run.');
    return stage;
  };
}
