import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const main = fileURLToPath(new URL('main.ts', import.meta.url));
const complete = { PORT: '0', KUBERNETES_SERVICE_HOST: '127.0.0.1', KUBERNETES_SERVICE_PORT: '6443' };

describe('a function whose environment is wrong says so in one line and ends with code 2', () => {
  test.each([
    ['nothing is set', {}, ['KUBERNETES_SERVICE_HOST is missing', 'KUBERNETES_SERVICE_PORT is missing']],
    ['a port is none', { ...complete, PORT: '70000' }, ['PORT is no port']],
    ['a Lease would last too long', { ...complete, LEASE_SECONDS: '60' }, ['LEASE_SECONDS is more than 15']],
    ['OIDC has no audience', { ...complete, BROKER_AUTH: 'oidc' }, ['BROKER_AUDIENCE is needed with BROKER_AUTH=oidc']],
  ])('when %s', async (_title, env, variables) => {
    const child = spawn(process.execPath, [main], { env: { PORT: '0', ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
    const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    const lines = output.trim().split('\n');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'fatal', variables });
    expect(code).toBe(2);
  });
});
