import { defineCommand } from '../command.ts';
import { printLine } from '../output/terminal.ts';

export const completionCommand = defineCommand({
  usage: 'completion <shell>',
  summary: 'Print what completes commands and options in a shell',
  description:
    'Prints a script that lets a shell complete the commands and options of magnum-capi, which has to be on the PATH.',
  examples: [
    ['completion bash > /etc/bash_completion.d/magnum-capi', 'for everybody who uses bash'],
    ['completion zsh > "$' + '{fpath[1]}/_magnum-capi"', 'for zsh'],
    ['completion fish > ~/.config/fish/completions/magnum-capi.fish', 'for fish'],
  ],
  options: (yargs) =>
    yargs.positional('shell', {
      choices: ['bash', 'zsh', 'fish'] as const,
      demandOption: true,
      describe: 'The shell',
    }),
  run: async ({ shell }, terminal) => {
    const { completionScripts } = await import('./completion-scripts.ts');
    printLine(terminal, completionScripts[shell]);
    return 0;
  },
});
