import { checks } from './checks.ts';

/** docs/doctor.md: every check, what to do where it fails. */
export function doctorDocument(): string {
  const sections = checks.map(({ id, description, remedy, needs = [] }) => {
    const after = needs.length === 0 ? [] : [`Needs ${needs.map((need) => `[${need}](#${need})`).join(', ')}.`];
    return [`## ${id}`, '', description, ...after.flatMap((line) => ['', line]), '', `**Remedy:** ${remedy}`].join(
      '\n',
    );
  });
  return `# What the doctor checks

<!-- Generated from cli/doctor/ by "npm run docs". -->

\`magnum-capi doctor\` ([cli.md](cli.md#doctor)) checks what an installation needs in the management cluster, and Keystone. Nothing that it does is stored. A check that
needs another one is skipped where that one is not good.

| mark | in \`-o json\` | meaning |
|---|---|---|
| ✓ | \`ok\` | good |
| ! | \`warning\` | clusters can be run, but somebody should look |
| ✗ | \`failed\` | clusters cannot be run like this; the exit code is 1 |
| ? | \`unknown\` | the kubeconfig's user may not see it |
| - | \`skipped\` | something else has to be good first, or nothing was said to check it by |

${sections.join('\n\n')}
`;
}
