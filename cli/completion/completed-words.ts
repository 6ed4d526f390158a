/** How a completion script asks: this, `magnum-capi`, and the words so far, of which the last one is to be completed. */
export const completionQuestion = '--get-yargs-completions';

/**
 * The arguments by which yargs is asked. It takes the beginning of an option for an option that is given already, such as
 * `--o` for `--output`, so it gets none: the shell keeps what fits.
 */
export function questionToYargs(args: readonly string[]): readonly string[] {
  return args.at(-1)?.startsWith('-') ? args.with(-1, '--') : args;
}

/**
 * What of yargs' answer to offer: options where one has begun, and nothing but arguments elsewhere, so that a shell
 * completes names of files where there are none.
 * @param answer a word a line, in zsh and fish with its description
 */
export function offeredWords(args: readonly string[], answer: string): string {
  const hasBegun = args.at(-1)?.startsWith('-') === true;
  const fits = (line: string) => line.startsWith('--') === hasBegun && !shortOption.test(line);
  return answer.split('\n').filter(fits).join('\n');
}

/** yargs offers the short name of a switch with two dashes, which it is not. */
const shortOption = /^--\w(?:\W|$)/;
