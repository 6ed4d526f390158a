import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { completionScripts, type Shell } from './completion-scripts.ts';

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'magnum-completion-'));
  const program = join(folder, 'magnum-capi');
  writeFileSync(program, `#!/bin/sh\nexec "${process.execPath}" "${main}" "$@"\n`);
  chmodSync(program, 0o755);
  writeFileSync(join(folder, 'event.json'), '{}');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a script in a shell that has magnum-capi on its PATH. */
function run(shell: Shell, script: string): string {
  const env = { PATH: `${folder}:${process.env['PATH'] ?? ''}`, HOME: folder };
  return execFileSync(shell, ['-c', script], { cwd: folder, env, encoding: 'utf8' }).trim();
}

/** How each shell tells what it would offer for a line. */
const offers = {
  bash(line: string) {
    const words = line.split(' ').map((word) => `'${word}'`);
    const state = `COMP_WORDS=(${words.join(' ')}); COMP_CWORD=${words.length - 1}; COMPREPLY=()`;
    return run('bash', `${completionScripts.bash}\n${state}; _magnum_capi; echo "\${COMPREPLY[*]}"`).split(' ');
  },
  fish(line: string) {
    const answer = run('fish', `${completionScripts.fish}\ncomplete -C '${line}'`);
    return answer.split('\n').map((each) => each.replace(/\t.*/, ''));
  },
  zsh(line: string) {
    // Without a line editor: what the function gives to _describe, which keeps what fits.
    const words = line.split(' ').map((word) => `'${word}'`);
    const begun = words.at(-1) ?? "''";
    const stubs = `compdef() { : }; _files() { print files }; _describe() { print -l -- \${(M)\${(P)2}:#${begun}*} }`;
    const state = `words=(${words.join(' ')}); CURRENT=${words.length}`;
    const answer = run('zsh', `${stubs}\n${completionScripts.zsh}\n${state}; _magnum_capi`);
    return answer.split('\n').map((each) => each.replace(/:.*/, ''));
  },
} as const;

const cases = [
  { line: 'magnum-capi re', offered: ['render'] },
  { line: 'magnum-capi render --o', offered: ['--only', '--output'] },
  { line: 'magnum-capi status --w', offered: ['--watch'] },
  { line: 'magnum-capi status --watch --u', offered: ['--until'] },
  { line: 'magnum-capi status --until ', offered: ['complete', 'failed'] },
  { line: 'magnum-capi status -o y', offered: ['yaml'] },
  { line: 'magnum-capi dead-letters ', offered: ['list', 'show', 'replay', 'delete'] },
  { line: 'magnum-capi completion ', offered: ['bash', 'zsh', 'fish'] },
] as const;

function has(shell: Shell): boolean {
  try {
    execFileSync(shell, ['-c', 'exit'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

const shells = (['bash', 'zsh', 'fish'] as const).filter(has);

test.each(shells.flatMap((shell) => cases.map((one) => ({ shell, ...one }))))(
  '$shell offers $offered for "$line"',
  ({ shell, line, offered }) => {
    expect(offers[shell](line).toSorted()).toEqual([...offered].toSorted());
  },
);

test('bash offers every command, and leaves an argument that may be a file to its own completion', () => {
  expect(offers.bash('magnum-capi ')).toEqual(
    expect.arrayContaining(['render', 'plan', 'send', 'status', 'dead-letters', 'completion']),
  );
  expect(offers.bash('magnum-capi render ')).toEqual(['']);
  expect(run('bash', `${completionScripts.bash}\ncomplete -p magnum-capi`)).toContain('-o default');
});
