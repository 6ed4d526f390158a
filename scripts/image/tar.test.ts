import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type TarEntry, tarOf } from './tar.ts';

function listed(archive: Buffer): readonly string[] {
  const folder = mkdtempSync(join(tmpdir(), 'magnum-tar-'));
  try {
    const file = join(folder, 'archive.tar');
    writeFileSync(file, archive);
    const output = execFileSync('tar', ['--list', '--verbose', '--numeric-owner', '--file', file], {
      env: { ...process.env, TZ: 'UTC' },
    });
    return output.toString().trimEnd().split('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const content = Buffer.from('hello');

test('tar reads sorted entries of root, with the folders on the way to them', () => {
  const entries: readonly TarEntry[] = [
    { path: 'usr/bin/node', kind: 'file', content, executable: true },
    { path: 'etc/passwd', kind: 'file', content },
    { path: 'etc/link', kind: 'link', target: 'passwd' },
  ];
  expect(listed(tarOf(entries, 86_400)).map((line) => line.replaceAll(/ +/g, ' '))).toEqual([
    'drwxr-xr-x 0/0 0 1970-01-02 00:00 etc/',
    'lrwxrwxrwx 0/0 0 1970-01-02 00:00 etc/link -> passwd',
    '-rw-r--r-- 0/0 5 1970-01-02 00:00 etc/passwd',
    'drwxr-xr-x 0/0 0 1970-01-02 00:00 usr/',
    'drwxr-xr-x 0/0 0 1970-01-02 00:00 usr/bin/',
    '-rwxr-xr-x 0/0 5 1970-01-02 00:00 usr/bin/node',
  ]);
});

test('the order of the entries does not matter', () => {
  const [one, other] = ['a/x', 'b'].map((path): TarEntry => ({ path, kind: 'file', content }));
  expect(one && other && tarOf([one, other], 0).equals(tarOf([other, one], 0))).toBe(true);
});

test.each([99, 100, 101, 180, 250])('tar reads a path of %i characters', (length) => {
  const path = `${'folder/'.repeat(40).slice(0, length - 20)}/${'f'.repeat(length)}`
    .slice(0, length)
    .replace('//', '/f');
  expect(listed(tarOf([{ path, kind: 'file', content }], 0)).at(-1)).toContain(` ${path}`);
});

test.each([
  ['a name that is too long', 'x'.repeat(101)],
  ['folders that are too long', `${'folder/'.repeat(40)}x`],
])('%s is refused', (_, path) => {
  expect(() => tarOf([{ path, kind: 'file', content }], 0)).toThrow('is too long for a tar archive');
});

test('two files in one place are refused', () => {
  const entry: TarEntry = { path: 'a', kind: 'file', content };
  expect(() => tarOf([entry, entry], 0)).toThrow('Two entries of an archive have the path a');
});
