import { defineCommand } from '../command.ts';
import { UsageError } from '../errors.ts';
import { managementClusterOptions } from '../management-cluster.ts';
import { formatOption } from '../output/format.ts';

/** Seconds to wait: a day. */
const longest = 86_400;

export const sendCommand = defineCommand({
  usage: 'send [file]',
  summary: 'Send an event to a function and show its answer',
  description: `Sends a request as Magnum's conductor does and prints what the function answers: accepted, rejected with each fault, a status, a health. The file is a CloudEvent in JSON (see examples/), or its data alone with --type.

The address comes from --url, from --local for "npm start", or from the function's Knative Service. The token comes from --token-file, from the environment MAGNUM_CAPI_TOKEN, or is asked of the management cluster for the account magnum-conductor. A user's Keystone token, which creating a cluster needs, is taken from the environment OS_TOKEN where the event has none.

Exit codes: 0 the function did it, 1 it rejected or refused it or did not answer, 2 wrong usage.`,
  examples: [
    ['send --type cluster.status.requested --cluster kube-46ev8', 'ask for the status of a cluster'],
    ['send examples/cluster-delete.json', 'delete a cluster, by the Service of the management cluster'],
    ['send event.json --local --anonymous -o json', 'to "npm start -- --no-auth", for scripts'],
    ['send event.json --keep-id', 'the very same event once more, as a broker may deliver it'],
  ],
  options: (yargs) =>
    formatOption(
      managementClusterOptions(
        yargs
          .positional('file', { type: 'string', describe: 'Event or its data; - = standard input' })
          .option('type', {
            type: 'string',
            requiresArg: true,
            describe: 'Type of the event, as cluster.status.requested or whole',
          })
          .option('cluster', {
            type: 'string',
            requiresArg: true,
            describe: 'Without a file: whose status or health to ask for, by UUID, stack id or name',
          })
          .option('url', { type: 'string', requiresArg: true, describe: 'Address of the function' })
          .option('local', { type: 'boolean', default: false, describe: 'Send it to "npm start" on this machine' })
          .option('token-file', { type: 'string', requiresArg: true, describe: 'File with a bearer token' })
          .option('anonymous', { type: 'boolean', default: false, describe: 'Send no token' })
          .option('keep-id', { type: 'boolean', default: false, describe: "Keep the event's id and time" })
          .option('timeout', { type: 'number', requiresArg: true, default: 120, describe: 'Seconds to wait' })
          .check(({ url, local, anonymous, tokenFile, timeout }) => {
            if (!(timeout > 0 && timeout <= longest)) {
              throw new UsageError(`The --timeout is no number of seconds above 0 and up to ${longest}.`);
            }
            if (local && url !== undefined) throw new UsageError('Say either --url or --local.');
            if (anonymous && tokenFile !== undefined) throw new UsageError('Say either --token-file or --anonymous.');
            return true;
          }),
      ),
    ),
  run: async (given, terminal) => {
    const { send } = await import('./send.ts');
    return send(given, terminal);
  },
});
