import { defineCommand } from '../command.ts';
import { managementClusterOptions } from '../management-cluster.ts';
import { formatOption } from '../output/format.ts';

export const planCommand = defineCommand({
  usage: 'plan <file>',
  summary: 'Show what an operation would change, and which machines it would replace',
  description: `Has the functions carry out an event against the live management cluster with every write as a server-side dry run: admission webhooks and defaults count, nothing is stored, neither there nor in the cloud nor in the workload cluster. Shows the objects and their fields that would change, what would be made or deleted in the cloud, and which machines would be replaced or only more or fewer. Values of Secrets are never shown.

The file holds the event as Magnum's conductor would send it, in JSON (see examples/): create, resize, upgrade, delete, a nodegroup's create, update or delete, or a credential's rotation. It is planned as "send" would send it: with another id and the time of now. An upgrade reads the cloud as the cluster itself does, by its credential in the management cluster; create and rotate need the token of the user who asks, in the event or in OS_TOKEN.

Exit code 0 where the operation would be accepted, whether it changes anything or not; 1 where it would be rejected or the plan fails; with --detailed-exitcode 3 where it changes something.`,
  examples: [
    ['plan examples/cluster-upgrade.json', 'what an upgrade changes'],
    ['plan upgrade.json -o json | jq ".machines[] | select(.action == \\"replace\\")"', 'what would roll, for scripts'],
    ['plan --detailed-exitcode - < event.json', 'in a pipeline: 0 nothing to do, 3 something'],
  ],
  options: (yargs) =>
    formatOption(managementClusterOptions(yargs))
      .positional('file', { type: 'string', demandOption: true, describe: 'File with the event; - = standard input' })
      .option('detailed-exitcode', {
        type: 'boolean',
        default: false,
        describe: 'Exit with 3 where the operation changes something',
      })
      .option('keep-id', { type: 'boolean', default: false, describe: "Keep the event's id and time" }),
  run: async (given, terminal) => {
    const { plan } = await import('./plan.ts');
    return plan(given, terminal);
  },
});
