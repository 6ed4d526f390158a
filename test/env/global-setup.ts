import type { TestProject } from 'vitest/node';
import * as z from 'zod';
import { type ControlPlane, startControlPlane } from './control-plane.ts';
import { someFileReaches } from './reachable-source.ts';

/** What a test file gets of the shared control plane, by `inject('server')` and so on. */
type SharedControlPlane = Pick<
  ControlPlane,
  'kubeconfigPath' | 'server' | 'caCertificate' | 'adminToken' | 'auditLogPath' | 'capoCrds' | 'etcdUrl'
>;

declare module 'vitest' {
  export interface ProvidedContext extends SharedControlPlane {}
}

/** The files that the command line names; vitest has them, but does not document it. */
const namedFiles = z.object({ filenamePattern: z.array(z.string()).optional().catch(undefined) });

/** Starts one control plane for all test files of a run, unless none of them injects it. */
export async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const { filenamePattern } = namedFiles.parse(project.vitest);
  const { testFiles } = await project.globTestFiles(filenamePattern);
  if (!(await someFileReaches(testFiles, /\binject\b[^;]*\bfrom 'vitest'/))) {
    return undefined;
  }
  const controlPlane = await startControlPlane({ onProgress: print });
  share(project, controlPlane);
  return () => controlPlane.stop({ keep: project.vitest.state.getCountOfFailedTests() > 0 });
}

function share(project: TestProject, controlPlane: ControlPlane): void {
  project.provide('kubeconfigPath', controlPlane.kubeconfigPath);
  project.provide('server', controlPlane.server);
  project.provide('caCertificate', controlPlane.caCertificate);
  project.provide('adminToken', controlPlane.adminToken);
  project.provide('auditLogPath', controlPlane.auditLogPath);
  project.provide('capoCrds', controlPlane.capoCrds);
  project.provide('etcdUrl', controlPlane.etcdUrl);
}

function print(line: string): void {
  process.stderr.write(`control plane: ${line}\n`);
}
