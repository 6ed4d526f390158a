import { defineCommand } from '../command.ts';
import { managementClusterOptions } from '../management-cluster.ts';
import { formatOption } from '../output/format.ts';
import { checkIds } from './check-ids.ts';

export const doctorCommand = defineCommand({
  usage: 'doctor',
  summary: 'Check what an installation needs',
  description: `Looks at the management cluster and at Keystone, and says in a sentence each what is good (✓), what is missing (✗) and what to do, what somebody should look at (!), what this user may not see (?), and what was left out (-), since something else has to be there first or nothing was said to check it by.

It stores nothing: objects that Cluster API's webhooks are to judge are created as dry runs, and rights are asked for by reviews. The kubeconfig's user has to be an administrator of the cluster to see everything.

Keystone is looked for at --auth-url, OS_AUTH_URL, or where the installation says; OS_CACERT names the file of a private authority. docs/doctor.md has every check.

Exit codes: 0 good, warnings and what cannot be seen included; 1 something failed, or the API server gives no answer; 2 wrong usage.`,
  examples: [
    ['doctor --auth-url https://keystone.example.org:5000/v3', 'everything'],
    ['doctor --check rights --check events', 'some checks, with those that they need'],
    ['doctor -o json | jq -r \'.checks[] | select(.verdict != "ok") | .id\'', 'for scripts'],
  ],
  options: (yargs) =>
    formatOption(
      managementClusterOptions(
        yargs
          .option('check', {
            choices: checkIds,
            array: true,
            requiresArg: true,
            default: [],
            defaultDescription: 'all',
            describe: 'Run this one; may be repeated',
          })
          .option('auth-url', { type: 'string', requiresArg: true, describe: "Keystone's URL, as Magnum has it" }),
      ),
    ),
  run: async (given, terminal) => {
    const { doctor } = await import('./doctor.ts');
    return doctor(given, terminal);
  },
});
