import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { printFormatted } from './format.ts';
import { liveScreen } from './live-screen.ts';
import { painter } from './paint.ts';
import { printLine, printNote, type Terminal } from './terminal.ts';

function openTerminal() {
  const [output, notes] = [new PassThrough(), new PassThrough()];
  const terminal: Terminal = {
    input: new PassThrough(),
    output,
    notes,
    isInteractive: true,
    hasColours: true,
    columns: () => 80,
    rows: () => 25,
    environment: {},
    signal: new AbortController().signal,
  };
  return { terminal, written: () => String(output.read() ?? ''), noted: () => String(notes.read() ?? '') };
}

test.each([
  ['the title of a window', 'a\u001b]0;owned\u0007b', 'a\ufffd]0;owned\ufffdb'],
  ['a cleared screen', '\u001b[2Jgone', '\ufffd[2Jgone'],
  ['the same in one character', '\u009b2Jgone', '\ufffd2Jgone'],
  ['a line that writes over itself', 'FAILED\rCOMPLETE', 'FAILED\ufffdCOMPLETE'],
  ['line breaks and tabs', 'a\n\tb', 'a\n\tb'],
  ['letters of any script', 'größer 集群 ✓', 'größer 集群 ✓'],
])('a terminal does not obey what it is to show: %s', (_what, text, shown) => {
  const { terminal, written, noted } = openTerminal();
  printLine(terminal, text);
  printNote(terminal, text);
  expect([written(), noted()]).toEqual([`${shown}\n`, `${shown}\n`]);
});

test('colours stay', () => {
  const { terminal, written } = openTerminal();
  const line = painter(terminal)('red', 'FAILED');
  printLine(terminal, line);
  expect(written()).toBe(`${line}\n`);
  expect(line).toContain('\u001b[31m');
});

test('a screen that is drawn again moves by its own commands alone', () => {
  const { terminal, written } = openTerminal();
  const screen = liveScreen(terminal);
  screen.draw(['one\u001b[2J']);
  screen.draw(['two']);
  expect(written()).toBe('one\ufffd[2J\n\u001b[1A\r\u001b[Jtwo\n');
});

test('JSON says such characters by their numbers, so that none is lost', async () => {
  const { terminal, written } = openTerminal();
  const value = { text: '\u001b\u009b\u007f\n' };
  await printFormatted(terminal, value, 'json');
  const text = written();
  expect(text).toBe('{\n  "text": "\\u001b\\u009b\\u007f\\n"\n}\n');
  expect(JSON.parse(text)).toEqual(value);
});
