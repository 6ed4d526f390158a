import { defineCommand } from '../command.ts';
import { managementClusterOptions } from '../management-cluster.ts';
import { formatOption } from '../output/format.ts';

export const statusCommand = defineCommand({
  usage: 'status [clusters..]',
  summary: 'Show how clusters are, once or as it changes',
  description: `Without arguments: a table of all clusters. With a stack id, a Magnum UUID or a name in Magnum: the cluster's status as Magnum is told it, its operations with their deadlines, and its objects as a tree, each with the conditions that are not good.

With --watch it is drawn again whenever something changes, until Ctrl-C; where no terminal is, each change is a line with its time. --until ends by itself: with 0 where every cluster ended so, with 1 where one did not.

It reads the management cluster alone. What the kubeconfig's user may not read is left out and named.`,
  examples: [
    ['status', 'all clusters'],
    ['status kube-46ev8 --watch', 'one cluster, live'],
    ['status production --until complete && deploy', 'wait until an operation is over'],
    ['status -o json | jq \'.clusters[] | select(.report.state == "FAILED")\'', 'for scripts'],
  ],
  options: (yargs) =>
    formatOption(
      managementClusterOptions(
        yargs
          .positional('clusters', {
            type: 'string',
            array: true,
            default: [],
            defaultDescription: 'all',
            describe: 'Stack ids, UUIDs or names in Magnum',
          })
          .option('watch', {
            alias: 'w',
            type: 'boolean',
            default: false,
            describe: 'Show it again whenever it changes',
          })
          .option('until', {
            choices: ['complete', 'failed'] as const,
            requiresArg: true,
            describe: 'Watch until no operation goes on; 0 where all ended so',
          }),
      ),
    ),
  run: async (given, terminal) => {
    const { status } = await import('./status.ts');
    return status(given, terminal);
  },
});
