export type Shell = 'bash' | 'zsh' | 'fish';

/**
 * Each asks `magnum-capi --get-yargs-completions <words>`. yargs writes its answer for the shell that SHELL names, which is the
 * user's login shell and not always the one that asks: so each says which it is.
 */
export const completionScripts: Readonly<Record<Shell, string>> = {
  bash: `_magnum_capi() {
  local IFS=$'\\n' word="\${COMP_WORDS[COMP_CWORD]}"
  COMPREPLY=($(compgen -W "$(SHELL=bash magnum-capi --get-yargs-completions "\${COMP_WORDS[@]:0:COMP_CWORD+1}" 2>/dev/null)" -- "$word"))
}
complete -o bashdefault -o default -F _magnum_capi magnum-capi`,
  zsh: `#compdef magnum-capi
_magnum_capi() {
  local -a found
  found=("\${(@f)$(SHELL=zsh magnum-capi --get-yargs-completions "\${(@)words[1,CURRENT]}" 2>/dev/null)}")
  if [[ -n "\${found[1]}" ]]; then _describe 'magnum-capi' found; else _files; fi
}
if [[ "\${zsh_eval_context[-1]}" == loadautofunc ]]; then _magnum_capi "$@"; else compdef _magnum_capi magnum-capi; fi`,
  fish: `complete -c magnum-capi -a '(SHELL=fish magnum-capi --get-yargs-completions (commandline -opc) (commandline -ct) 2>/dev/null)'`,
};
