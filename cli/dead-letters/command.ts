import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { managementClusterOptions } from '../management-cluster.ts';
import { formatOption } from '../output/format.ts';

const actions = ['list', 'show', 'replay', 'delete'] as const;

export const deadLettersCommand = defineCommand({
  usage: 'dead-letters [action] [names..]',
  summary: 'Look at events that could not be delivered, and send them again',
  description: `The function dead-letters keeps each event that the Broker has given up as a ConfigMap, with its destination and what that said.

"replay" sends letters to the Broker again, which delivers them to everybody who wants such events, and deletes those that the Broker has taken. The Broker is reached through the management cluster's API, so this works from outside. Where Eventing demands tokens (OIDC), which that way does not carry, run it where the Broker can be reached, with --to and --token-file. A letter of which something was hidden or cut cannot be sent again: the next resync tells the same.

Exit codes: 0 done, 1 a letter is missing or was not taken, 2 wrong usage.`,
  examples: [
    ['dead-letters', 'all letters, the newest last'],
    ['dead-letters show 3f0c9a12b4d5e6f7', 'one letter with its event'],
    ['dead-letters replay --all', 'send all of them again, once the cause is gone'],
    [
      'dead-letters replay 3f0c9a12b4d5e6f7 --to http://127.0.0.1:8080/broker',
      'to another broker, here that of "npm start"',
    ],
    ['dead-letters delete --all', 'forget them'],
    ["dead-letters list -o json | jq -r '.letters[].destination'", 'for scripts'],
  ],
  options: (yargs) =>
    formatOption(
      managementClusterOptions(
        yargs
          .positional('action', { choices: actions, default: 'list' as const, describe: 'What to do' })
          .positional('names', {
            type: 'string',
            array: true,
            default: [],
            defaultDescription: 'none',
            describe: 'Letters, with or without "dead-letter-"',
          })
          .option('all', { type: 'boolean', default: false, describe: 'Every letter' })
          .option('to', {
            type: 'string',
            requiresArg: true,
            describe: 'Address that letters are sent to, instead of the Broker',
          })
          .option('token-file', { type: 'string', requiresArg: true, describe: 'With --to: file with a bearer token' })
          .check(({ action, names, all, to, tokenFile }) => {
            checkNames(action, names, all);
            if (to !== undefined && action !== 'replay') throw new UsageError('Only "replay" sends: leave out --to.');
            if (tokenFile !== undefined && to === undefined) {
              throw new UsageError('A token goes only to an address that you give by --to.');
            }
            return true;
          }),
      ),
    ),
  run: async (given, terminal) => {
    const { deadLetters } = await import('./dead-letters.ts');
    return deadLetters(given, terminal);
  },
});

function checkNames(action: (typeof actions)[number], names: readonly string[], all: boolean): void {
  if (action === 'list' && names.length > 0) throw new UsageError('"list" lists all: for some, say "show".');
  if (all && names.length > 0) throw new UsageError('Say either --all or names.');
  if (action !== 'list' && names.length === 0 && !all) throw new UsageError(`Name letters to ${action}, or say --all.`);
}
