import { defineCommand } from '../command.ts';

export const renderCommand = defineCommand({
  usage: 'render <files..>',
  summary: 'Show every object that creating a cluster would write',
  description: `Prints the objects that the create function would write for a request: ClusterClass with its templates, Cluster, Secrets, add-ons with their ClusterResourceSet, and the autoscaler. It needs no management cluster and no cloud: what only the cloud knows comes from --facts or is assumed, and what was assumed is told on standard error.

A file is a CloudEvent in JSON (see examples/), the data of one, or what Magnum's API says of a cluster, its template and its nodegroups, in one file or several. Secrets are hidden, and the manifests of add-ons readable, unless --show-secrets.`,
  examples: [
    ['render examples/cluster-create-plain.json', 'everything'],
    ['render examples/cluster-create-full.json --only Cluster', 'the Cluster alone'],
    ['render cluster.json template.json nodegroups.json --facts facts.yaml', 'from what Magnum says of a cluster'],
    ['render - --show-secrets -o json < event.json | jq .items[].kind', 'exactly what would be written, for scripts'],
  ],
  options: (yargs) =>
    yargs
      .positional('files', {
        type: 'string',
        array: true,
        demandOption: true,
        describe: 'Event, its data, or rows of Magnum; - = standard input',
      })
      .option('facts', {
        type: 'string',
        requiresArg: true,
        describe: 'JSON or YAML with what the cloud says of flavors, images, networks, volume types',
      })
      .option('only', {
        type: 'string',
        array: true,
        requiresArg: true,
        default: [],
        defaultDescription: 'all objects',
        describe: 'Only this kind, or kind/name; may be given more than once',
      })
      .option('show-secrets', { type: 'boolean', default: false, describe: 'Print Secrets as they would be written' })
      .option('output', {
        alias: 'o',
        choices: ['yaml', 'json'] as const,
        default: 'yaml' as const,
        requiresArg: true,
        describe: 'How to print the objects',
      }),
  run: async (given, terminal) => {
    const { render } = await import('./render.ts');
    return render(given, terminal);
  },
});
