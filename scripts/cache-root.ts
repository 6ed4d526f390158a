import { homedir } from 'node:os';
import { join } from 'node:path';

/**
 * Folder of everything that is built or fetched once. Outside the repository, so that clones and branches share it.
 * @param environment read for XDG_CACHE_HOME
 */
export function cacheRoot(environment: NodeJS.ProcessEnv): string {
  return join(environment['XDG_CACHE_HOME'] || join(homedir(), '.cache'), 'magnum-capi-functions');
}
