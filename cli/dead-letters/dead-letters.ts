import type { KeptLetter } from '../../shared/dead-letters/dead-letter.ts';
import type { ExitCode } from '../command.ts';
import {
  connectManagementCluster,
  type ManagementCluster,
  type ManagementClusterOptions,
} from '../management-cluster.ts';
import { type Format, printFormatted } from '../output/format.ts';
import { oneLine } from '../output/one-line.ts';
import { painter } from '../output/paint.ts';
import { printLine, printNote, type Terminal } from '../output/terminal.ts';
import { readTokenFile } from '../token-file.ts';
import { webAddress } from '../web-address.ts';
import { brokerEntrance, entranceAt } from './broker-entrance.ts';
import { chooseLetters, keptLetters, removeLetter } from './kept-letters.ts';
import { letterDocument, letterLines, letterTable } from './letter-text.ts';
import { type ReplayOutcome, replayLetters } from './replay-letters.ts';

export interface DeadLettersArguments extends ManagementClusterOptions {
  readonly action: 'list' | 'show' | 'replay' | 'delete';
  readonly names: readonly string[];
  readonly all: boolean;
  readonly to: string | undefined;
  readonly tokenFile: string | undefined;
  readonly output: Format | undefined;
}

interface Job {
  readonly given: DeadLettersArguments;
  readonly terminal: Terminal;
  readonly cluster: ManagementCluster;
  /** Those that are asked for, the newest last. */
  readonly letters: readonly KeptLetter[];
}

const actions: Readonly<Record<DeadLettersArguments['action'], (job: Job) => Promise<ExitCode>>> = {
  list,
  show,
  replay,
  delete: remove,
};

/** Does one thing with the dead letters of the management cluster. @throws Error in one sentence */
export async function deadLetters(given: DeadLettersArguments, terminal: Terminal): Promise<ExitCode> {
  const cluster = await connectManagementCluster(given);
  try {
    const all = await keptLetters(cluster, terminal.signal);
    const letters = given.action === 'list' || given.all ? all : chooseLetters(all, given.names);
    return await actions[given.action]({ given, terminal, cluster, letters });
  } finally {
    cluster.close();
  }
}

async function list({ given, terminal, letters }: Job): Promise<ExitCode> {
  if (given.output !== undefined) {
    await printFormatted(terminal, { letters: letters.map(letterDocument) }, given.output);
  } else if (letters.length === 0) printNote(terminal, 'There are no dead letters.');
  else for (const line of letterTable(letters, textOptions(terminal))) printLine(terminal, line);
  return 0;
}

async function show({ given, terminal, letters }: Job): Promise<ExitCode> {
  if (given.output !== undefined) {
    await printFormatted(terminal, { letters: letters.map(letterDocument) }, given.output);
    return 0;
  }
  for (const line of letters.flatMap((letter) => letterLines(letter, textOptions(terminal)))) printLine(terminal, line);
  return 0;
}

async function replay({ given, terminal, cluster, letters }: Job): Promise<ExitCode> {
  const entrance = await entranceFor(given, terminal, cluster);
  const outcomes: ReplayOutcome[] = [];
  const { signal } = terminal;
  try {
    const discard = (letter: KeptLetter) => removeLetter(cluster, letter, signal);
    for await (const outcome of replayLetters(letters, { entrance, remove: discard, signal })) {
      outcomes.push(outcome);
      if (given.output === undefined) printOutcome(terminal, outcome, `${outcomes.length}/${letters.length}`);
    }
  } finally {
    entrance.close();
    if (given.output !== undefined) await printFormatted(terminal, { letters: outcomes }, given.output);
  }
  return outcomes.every(({ outcome }) => outcome === 'replayed') ? 0 : 1;
}

async function entranceFor({ to, tokenFile }: DeadLettersArguments, { signal }: Terminal, cluster: ManagementCluster) {
  if (to === undefined) return brokerEntrance(cluster, signal);
  return entranceAt(webAddress('--to', to), tokenFile === undefined ? undefined : await readTokenFile(tokenFile));
}

const sentences: Readonly<Record<ReplayOutcome['outcome'], string>> = {
  replayed: 'sent again',
  again: 'sent again, and has died again: the letter stays',
  refused: 'not taken',
  incomplete: 'not sent',
};

function printOutcome(terminal: Terminal, { name, outcome, detail }: ReplayOutcome, position: string): void {
  const paint = painter(terminal);
  const mark = outcome === 'replayed' ? paint('green', '✓') : paint('red', '✗');
  const reason = detail === '' ? '' : ` (${oneLine(detail)})`;
  printLine(terminal, `${mark} ${paint('dim', position)} ${name} ${sentences[outcome]}${reason}`);
}

async function remove({ given, terminal, cluster, letters }: Job): Promise<ExitCode> {
  const stayed: string[] = [];
  for (const letter of letters) {
    terminal.signal.throwIfAborted();
    const isGone = await removeLetter(cluster, letter, terminal.signal);
    if (!isGone) stayed.push(letter.name);
    if (given.output === undefined)
      printLine(terminal, `${letter.name} ${isGone ? 'deleted' : 'has changed and stays'}`);
  }
  const deleted = letters.map(({ name }) => name).filter((name) => !stayed.includes(name));
  if (given.output !== undefined) await printFormatted(terminal, { deleted, stayed }, given.output);
  return stayed.length === 0 ? 0 : 1;
}

function textOptions(terminal: Terminal) {
  return { paint: painter(terminal), columns: terminal.columns(), now: new Date() };
}
