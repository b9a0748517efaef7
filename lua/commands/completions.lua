--- perigee completions: prints scripts for shells, which ask perigee __complete for the candidates.

local BASH = [==[
# perigee completions bash: add `eval "$(perigee completions bash)"` to ~/.bashrc
_perigee() {
  local words=() word trimmed rest=${COMP_LINE:0:COMP_POINT} i line directive current value prefix=
  # Readline cuts words at = and : as well; what stands together in the line is one word.
  for ((i = 0; i <= COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    trimmed=${rest#"${rest%%[![:space:]]*}"}
    [[ ${#trimmed} -lt ${#word} ]] && word=$trimmed
    if [[ $i -gt 0 && -n $word && $rest == "$trimmed" ]]; then
      words[${#words[@]}-1]+=$word
    else
      words+=("$word")
    fi
    rest=${trimmed#"$word"}
  done
  [[ $rest == "" && ${COMP_LINE:COMP_POINT-1:1} == " " && -n ${words[${#words[@]}-1]} ]] && words+=("")
  current=${words[${#words[@]}-1]}
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :*) directive=$line ;;
      *) COMPREPLY+=("${line%%$'\t'*}") ;;
    esac
  done < <("${words[0]}" __complete -- "${words[@]:1}" 2>/dev/null)
  value=${current##*[=:]}
  prefix=${current%"$value"}
  for i in "${!COMPREPLY[@]}"; do COMPREPLY[i]=${COMPREPLY[i]#"$prefix"}; done
  case $directive in
    :nospace) compopt -o nospace ;;
    :files | :directories)
      compopt -o filenames
      [[ $directive == :files ]] && i=-f || i=-d
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$i" -- "$value") ;;
  esac
}
complete -F _perigee perigee
]==]

local ZSH = [==[
#compdef perigee
# perigee completions zsh: add `eval "$(perigee completions zsh)"` to ~/.zshrc behind compinit
_perigee() {
  local -a lines values shown
  local line directive
  lines=("${(@f)$("${(Q)words[1]}" __complete -- "${(@Q)words[2,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null)}")
  directive=$lines[-1]
  for line in "${(@)lines[1,-2]}"; do
    values+=("${line%%$'\t'*}")
    if [[ $line == *$'\t'* ]]; then shown+=("${line/$'\t'/  -- }"); else shown+=("$line"); fi
  done
  case $directive in
    :files) compset -P '--*='; _files ;;
    :directories) compset -P '--*='; _files -/ ;;
    :nospace) (( $#values )) && compadd -S '' -l -d shown -- "${(@)values}" ;;
    *) (( $#values )) && compadd -l -d shown -- "${(@)values}" ;;
  esac
}
if [[ ${funcstack[1]} == _perigee ]]; then _perigee "$@"; else compdef _perigee perigee; fi
]==]

local FISH = [==[
# perigee completions fish: save it as ~/.config/fish/completions/perigee.fish
function __perigee_complete
    set -l words (commandline -opc)
    set -l current (commandline -ct)
    set -l lines ($words[1] __complete -- $words[2..-1] "$current" 2>/dev/null)
    set -l value (string replace -r '^--[^=]*=' '' -- "$current")
    set -l before (string sub -l (math (string length -- "$current") - (string length -- "$value")) -- "$current")
    switch "$lines[-1]"
        case ':files'
            for path in (__fish_complete_path "$value")
                echo $before$path
            end
        case ':directories'
            for path in (__fish_complete_directories "$value")
                echo $before$path
            end
    end
    test (count $lines) -gt 1; and printf '%s\n' $lines[1..-2]
end
complete -c perigee -f -a '(__perigee_complete)'
]==]


local function script(text)
  return function(_, io) io:write(text) end
end


---@type perigee.Command
return {
  summary     = "print a completion script for a shell",
  description = "Prints a script that completes commands, options and their values, the names of tools, and the arguments of a "
             .. "tool (`perigee call move_window na<TAB>`). It asks the program each time, so tools and commands that were just "
             .. "saved are completed.\n\n    eval \"$(perigee completions bash)\"      # in ~/.bashrc\n"
             .. "    eval \"$(perigee completions zsh)\"       # in ~/.zshrc, behind compinit\n"
             .. "    perigee completions fish > ~/.config/fish/completions/perigee.fish",
  subcommands = {
    bash = { summary = "for bash", run = script(BASH) },
    fish = { summary = "for fish", run = script(FISH) },
    zsh  = { summary = "for zsh", run = script(ZSH) },
  },
  stoppable   = false,

  examples = {
    { "writes a script", args = { "bash" }, has = { "complete -F _perigee perigee" } },
    { "knows three shells", args = { "tcsh" }, status = 2, err = "unknown subcommand" },
  },
}
