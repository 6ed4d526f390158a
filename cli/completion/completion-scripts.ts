import { completionQuestion as question } from './completed-words.ts';

export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * Each asks magnum-capi what is offered for the words so far. yargs writes its answer for the shell that SHELL names, which is the
 * user's login shell and not always the one that asks: so each says which it is.
 */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `_magnum_capi() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(SHELL=bash magnum-capi ${question} "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)" -- "$word"))
}
complete -o bashdefault -o default -F _magnum_capi magnum-capi`,
  zsh: `#compdef magnum-capi
_magnum_capi() {
  local -a found
  found=("\${(@f)$(SHELL=zsh magnum-capi ${question} "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then _describe 'magnum-capi' found; else _files; fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _magnum_capi "$@"; else compdef _magnum_capi magnum-capi; fi`,
  fish: `function __magnum_capi
  set -l found (SHELL=fish magnum-capi ${question} (commandline -opc) (commandline -ct) 2>/dev/null)
  if set -q found[1]
    printf '%s\\n' $found
  else
    __fish_complete_path (commandline -ct)
  end
end
complete -c magnum-capi -f -a '(__magnum_capi)'`,
};
