import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { runCommand, startCommand } from './command-process.ts';

const plain = 'examples/cluster-create-plain.json';

test.each([
  { args: ['--help'], told: /^magnum-capi <command>/ },
  { args: ['render', '--help'], told: /Examples:\n {2}# everything\n {2}magnum-capi render examples/ },
  { args: ['--version'], told: /^\d+\.\d+\.\d+\n$/ },
])('$args is answered on standard output', async ({ args, told }) => {
  const { exitCode, output, notes } = await runCommand(args);
  expect({ exitCode, notes }).toEqual({ exitCode: 0, notes: '' });
  expect(output).toMatch(told);
});

test.each([
  { args: [], told: 'Name a command.' },
  { args: ['rendr', plain], told: 'Did you mean render?' },
  { args: ['render'], told: 'Not enough non-option arguments: got 0, need at least 1.' },
  { args: ['render', plain, '--nope'], told: 'Unknown argument: nope.' },
  { args: ['render', plain, '-o'], told: 'Not enough arguments following: o.' },
  { args: ['render', plain, '-o', 'xml'], told: 'Argument: output, Given: "xml", Choices: "yaml", "json".' },
  { args: ['render', plain, '-o', 'json', '-o', 'yaml'], told: 'The option o is given more than once.' },
  { args: ['render', 'nowhere.json'], told: 'There is no file nowhere.json.' },
  { args: ['status', '--kubeconfig', '/nowhere'], told: 'There is no kubeconfig /nowhere.' },
  { args: ['send', plain, '--local', '--timeout', 'soon'], told: 'The --timeout is no number of seconds above 0' },
])('$args is wrong usage, told in a sentence', async ({ args, told }) => {
  const { exitCode, output, notes } = await runCommand(args);
  expect({ exitCode, output }).toEqual({ exitCode: 2, output: '' });
  expect(notes).toContain(told);
  expect(notes).toMatch(/\nTry "magnum-capi .*--help"\.\n$/);
});

test('where there is no kubeconfig, one sentence says so', async () => {
  const { exitCode, output, notes } = await runCommand(['status'], { variables: { KUBECONFIG: '', HOME: '/nowhere' } });
  expect({ exitCode, output }).toEqual({ exitCode: 1, output: '' });
  expect(notes).toMatch(/^magnum-capi: There is no kubeconfig where kubectl looks for one.*\n$/);
});

test('a reader that goes away is no error', async () => {
  const child = startCommand(['render', plain, '-o', 'json']);
  const notes = text(child.stderr);
  child.stdout.destroy();
  const [exitCode] = await once(child, 'close');
  expect(exitCode).toBe(0);
  expect(await notes).not.toMatch(/EPIPE/);
});

test.each([
  { variables: {}, coloured: false },
  { variables: { FORCE_COLOR: '1' }, coloured: true },
  { variables: { FORCE_COLOR: '1', NO_COLOR: '1' }, coloured: false },
])('colours with $variables where no terminal is: $coloured', async ({ variables, coloured }) => {
  const invalid = { cluster: {}, cluster_template: {}, nodegroups: [] };
  const { exitCode, notes } = await runCommand(['render', '-'], { input: JSON.stringify(invalid), variables });
  expect(exitCode).toBe(1);
  expect(notes.includes('\u001b[')).toBe(coloured);
});
