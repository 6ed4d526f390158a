import { createParser } from './command-line.ts';
import { commands } from './commands.ts';

/** Characters of a line, whatever the width of the terminal. */
const width = 100;

/** docs/cli.md: what `--help` says of every command. */
export function commandsDocument(): string {
  const sections = commands.map(({ name }) => `## ${name}\n\n${helpBlock([name, '--help'])}`);
  return `# The command line

<!-- Generated from cli/ by "npm run docs". -->

\`magnum-capi\` looks at Magnum clusters of Cluster API and helps to run them. \`npm run magnum-capi -- …\` runs it from source,
\`dist/magnum-capi.cjs\` (\`npm run build\`) needs only Node, and the image runs it by the argument \`magnum-capi\`.

Results go to standard output, everything else to standard error. Colours are for terminals alone; \`NO_COLOR\` turns them off.

| exit code | meaning |
|---|---|
| 0 | good |
| 1 | it failed, or something was found |
| 2 | wrong usage |
| 3 | what the help of a command says |

${helpBlock(['--help'])}

${sections.join('\n\n')}
`;
}

function helpBlock(args: readonly string[]): string {
  return `\`\`\`\n${helpOf(args)}\n\`\`\``;
}

function helpOf(args: readonly string[]): string {
  let text = '';
  const parser = createParser(async () => undefined, width);
  parser.parse([...args], {}, (_error: unknown, _given: unknown, output: string) => {
    text = output;
  });
  return text.trimEnd();
}
