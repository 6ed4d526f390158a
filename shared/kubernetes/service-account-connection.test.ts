import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceAccountConnection } from './service-account-connection.ts';
import { type InstantClock, instantClock } from './testing/instant-clock.ts';

let directory: string;
let clock: InstantClock;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'service-account-'));
  clock = instantClock();
  await writeFile(join(directory, 'ca.crt'), 'the CA');
  await writeToken('first\n');
});
afterEach(() => rm(directory, { recursive: true }));

function writeToken(token: string): Promise<void> {
  return writeFile(join(directory, 'token'), token);
}

function connect(host = '10.0.0.1') {
  return serviceAccountConnection({ host, port: '443', directory, clock });
}

describe('the connection of a pod', () => {
  it.each([
    { host: '10.0.0.1', server: 'https://10.0.0.1:443' },
    { host: 'fd00::1', server: 'https://[fd00::1]:443' },
  ])('goes to $server', ({ host, server }) => {
    expect(connect(host)).toMatchObject({ server, caCertificate: 'the CA' });
  });

  it('reads its token file again after a minute', async () => {
    const { token } = connect();
    expect(await token?.()).toBe('first');
    await writeToken('second');
    await clock.sleep(59_999);
    expect(await token?.()).toBe('first');
    await clock.sleep(1);
    expect(await token?.()).toBe('second');
  });

  it('reads its token file again at once when the API server refused the token', async () => {
    const { token } = connect();
    await token?.();
    await writeToken('second');
    expect(await token?.('an older one')).toBe('first');
    expect(await token?.('first')).toBe('second');
  });

  it('says which file is missing or empty, and recovers', async () => {
    const { token } = connect();
    await rm(join(directory, 'token'));
    await expect(token?.()).rejects.toThrow(join(directory, 'token'));
    await writeToken(' \n');
    await expect(token?.()).rejects.toThrow('is empty');
    await writeToken('third');
    expect(await token?.()).toBe('third');
  });
});
