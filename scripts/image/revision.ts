import { fileURLToPath } from 'node:url';
import { ImageError } from './image-error.ts';
import { runProgram } from './run-program.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** What an image is made from. */
export interface Revision {
  /** The commit, with `-dirty` where the work tree differs from it; undefined outside git. */
  readonly commit: string | undefined;
  /** Seconds since 1970: SOURCE_DATE_EPOCH, else when the commit was made, else 0. */
  readonly time: number;
}

/**
 * @param environment read for SOURCE_DATE_EPOCH (reproducible-builds.org)
 * @param own the commit, where it is known better
 * @throws {ImageError} where SOURCE_DATE_EPOCH is no time
 */
export async function currentRevision(environment: NodeJS.ProcessEnv, own?: string): Promise<Revision> {
  const given = environment['SOURCE_DATE_EPOCH'];
  if (given !== undefined && !/^\d{1,11}$/.test(given)) {
    throw new ImageError(`SOURCE_DATE_EPOCH is "${given}", and has to be seconds since 1970.`);
  }
  const [commit, time] = (await git(['log', '-1', '--format=%H %ct']))?.split(' ') ?? [];
  const changes = commit === undefined ? '' : await git(['status', '--porcelain', '--untracked-files=no']);
  return { commit: own ?? (changes === '' ? commit : `${commit}-dirty`), time: Number(given ?? time ?? 0) };
}

/** undefined where there is no repository, or no git. */
async function git(args: readonly string[]): Promise<string | undefined> {
  return runProgram('git', args, { folder: root }).then(
    (output) => output.toString().trim(),
    () => undefined,
  );
}
