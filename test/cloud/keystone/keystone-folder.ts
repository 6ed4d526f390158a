import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of one Keystone. */
export interface KeystoneFolder {
  readonly directory: string;
  /** Configuration, keys and database: nobody needs them once the process is gone. */
  readonly data: string;
  readonly logs: string;
  /** Written once Keystone answers. */
  readonly port: string;
}

export async function createKeystoneFolder(tokenSeconds: number): Promise<KeystoneFolder> {
  const directory = await mkdtemp(join(tmpdir(), 'magnum-keystone-'));
  const data = join(directory, 'data');
  const folder = { directory, data, logs: join(directory, 'logs'), port: join(data, 'port') };
  await Promise.all([join(data, 'keys'), folder.logs].map((path) => mkdir(path, { recursive: true, mode: 0o700 })));
  await writeFile(join(data, 'keystone.conf'), configuration(data, tokenSeconds));
  return folder;
}

export async function removeKeystoneFolder({ directory }: KeystoneFolder): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}

/** Everything else is Keystone's default, as an operator has it. */
function configuration(data: string, tokenSeconds: number): string {
  const keys = join(data, 'keys');
  return `[database]
connection = sqlite:///${join(data, 'keystone.sqlite')}?timeout=30
[token]
expiration = ${tokenSeconds}
[fernet_tokens]
key_repository = ${keys}
[fernet_receipts]
key_repository = ${keys}
[credential]
key_repository = ${keys}
# The cheapest that it takes: a secret lives for one test.
[identity]
password_hash_rounds = 4
# Copies, as memcached gives them: Keystone changes what the plain memory backend hands out.
[cache]
backend = dogpile.cache.memory_pickle
`;
}
