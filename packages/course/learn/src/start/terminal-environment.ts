import { quote } from "@operator-path/tools";

/** The environment of a terminal in which a page's commands reach only the session's cluster. */
export interface TerminalEnvironment {
  /** Folder with the session's own commands, which comes first on PATH. */
  readonly bin: string;
  /** Variables for the terminal: KUBECONFIG, … */
  readonly variables: Readonly<Record<string, string>>;
  /** The context that kubectl must show in this terminal, with `server`. */
  readonly context: string;
  readonly server: string;
  /** Version of the session's Node: `v26.10.0`. */
  readonly node: string;
  /** The text before the person's own prompt. */
  readonly label: string;
}

/**
 * Variables that would send kubectl or helm to another cluster, or make a script source a file that sets
 * KUBECONFIG.
 */
export const foreignVariables: readonly string[] = [
  "BASH_ENV",
  "HELM_KUBEAPISERVER",
  "HELM_KUBEASGROUPS",
  "HELM_KUBEASUSER",
  "HELM_KUBECAFILE",
  "HELM_KUBECONTEXT",
  "HELM_KUBEINSECURE_SKIP_TLS_VERIFY",
  "HELM_KUBETLS_SERVER_NAME",
  "HELM_KUBETOKEN",
  "HELM_NAMESPACE",
  "KUBERNETES_MASTER",
];

/** Commands of the course in the learner's shell. `learn` has all of them. */
export const courseCommands = ["check", "catch-up", "exercise", "learn"] as const;

/**
 * Commands of the session. Aliases and functions of these names are removed, because they would run instead.
 */
export const ownCommands: readonly string[] = [
  "kubectl",
  "k",
  "helm",
  "node",
  "pnpm",
  "container-tool",
  "operator-sdk",
  ...courseCommands,
];

/** Returns the messages for a terminal that cannot be used. */
function refusal(t: TerminalEnvironment): Readonly<Record<"cluster" | "node" | "readOnly", string>> {
  const advice =
    "Your shell's startup files set this, and it cannot be overridden. Nothing was changed. " +
    "Remove it there, or start with another shell: SHELL=/bin/sh npx --yes pnpm@12 start";
  return {
    cluster: `This terminal is not safe to use: its kubectl should show ${t.context} at ${t.server}, but shows %s. ${advice}`,
    node: `This terminal cannot be used: its node should be ${t.node}, but is %s. ${advice}`,
    readOnly: `This terminal cannot be used: a variable that the tutorial sets is read-only. ${advice}`,
  };
}

/**
 * Returns a script for bash, zsh, dash or another POSIX shell, to source after the person's own files. In a
 * subshell, the script sets the environment, and asks kubectl for its cluster. If that is not the session's,
 * it prints a message, returns 1, and leaves the shell unchanged. Otherwise it sets the environment, in bash
 * and zsh again at each prompt, and shows the cluster in the prompt. The script that includes it defines
 * `__operator_path_arrive` and `__operator_path_renew`, which bash calls at each prompt.
 */
export function posixEnvironment(t: TerminalEnvironment): string {
  const exports = Object.entries(t.variables).map(([name, value]) => `  export ${name}=${quote(value)}`);
  const { cluster, node, readOnly } = refusal(t);
  const bin = quote(t.bin);
  const kubeconfig = quote(t.variables.KUBECONFIG ?? "");
  const hold = `
__operator_path_hold() {
  if [ -n "\${__operator_path_quiet-}" ] && [ "\${KUBECONFIG-}" != ${kubeconfig} ]; then
    echo "KUBECONFIG was changed. This terminal belongs to the tutorial's cluster, so KUBECONFIG is set back at each prompt." >&2
    __operator_path_quiet=
  fi
${exports.join("\n")}
  unset ${foreignVariables.join(" ")}
  case ":$PATH:" in
    :${bin}:*) ;;
    *:${bin}:*)
      __operator_path_rest=:$PATH:
      __operator_path_rest=\${__operator_path_rest%%:${bin}:*}:\${__operator_path_rest#*:${bin}:}
      __operator_path_rest=\${__operator_path_rest#:}
      export PATH=${bin}:"\${__operator_path_rest%:}" ;;
    *) export PATH=${bin}:"$PATH" ;;
  esac
  for __operator_path_name in ${ownCommands.join(" ")}; do
    unalias "$__operator_path_name" 2>/dev/null || :
    unset -f "$__operator_path_name" 2>/dev/null || :
  done
  hash -r 2>/dev/null || :
  PS1=\${PS1-}
  PS1=\${PS1#"\${__operator_path_label-}"}
  __operator_path_label=${quote(`(${t.label}) `)}
  PS1=$__operator_path_label$PS1
  # zsh calls this before each command too, when it is too late to change the folder.
  if [ -n "\${BASH_VERSION-}" ]; then __operator_path_arrive; __operator_path_renew; __operator_path_trim; fi
}
# bash shows the last part of a long path. The page's folder has a namesake in the learner's, so there it shows more.
# A PROMPT_DIRTRIM of the person's own stays.
__operator_path_trims=\${__operator_path_trims-\${PROMPT_DIRTRIM:-ours}}
__operator_path_trim() {
  [ "$__operator_path_trims" = ours ] || return 0
  case $PWD/ in
    "\${TUTORIAL:-/none}"/*) PROMPT_DIRTRIM=3 ;;
    *) PROMPT_DIRTRIM=1 ;;
  esac
}
`;
  return `
# In a shell of its own first, so that a refusal changes nothing here. A read-only variable would end the reading of this file, too.
(
__operator_path_quiet=
${hold}
# eval: what is run is what a person would run by typing it.
__operator_path_check() {
  __operator_path_seen=$(eval "kubectl config view --minify --output 'jsonpath={.current-context} at {.clusters[0].cluster.server}'" 2>&1) || :
  if [ "$__operator_path_seen" != ${quote(`${t.context} at ${t.server}`)} ]; then
    printf ${quote(`${cluster}\\n`)} "$__operator_path_seen" >&2
    return 1
  fi
  __operator_path_seen=$(eval "node --version" 2>&1) || :
  if [ "$__operator_path_seen" != ${quote(t.node)} ]; then
    printf ${quote(`${node}\\n`)} "$__operator_path_seen" >&2
    return 1
  fi
}
if ( __operator_path_hold ) >/dev/null 2>&1; then
  __operator_path_hold
  __operator_path_check
else
  __operator_path_check && echo ${quote(readOnly)} >&2
  false
fi
) || return 1
${hold}
__operator_path_quiet=
__operator_path_hold
__operator_path_quiet=no

# Last of what runs before a prompt. In quotes: other shells could not read it.
if [ -n "\${BASH_VERSION-}" ]; then
  eval 'case " \${PROMPT_COMMAND[*]-} " in
    *__operator_path_hold*) ;;
    *) case $(declare -p PROMPT_COMMAND 2>/dev/null) in
      "declare -a"*) PROMPT_COMMAND+=(__operator_path_hold) ;;
      *) PROMPT_COMMAND="\${PROMPT_COMMAND:+$PROMPT_COMMAND
}__operator_path_hold" ;;
    esac ;;
  esac'
elif [ -n "\${ZSH_VERSION-}" ]; then
  eval 'precmd_functions=(\${precmd_functions:#__operator_path_hold} __operator_path_hold)
    preexec_functions=(\${preexec_functions:#__operator_path_hold} __operator_path_hold)'
fi
`;
}

/** Returns the same for fish. */
export function fishEnvironment(t: TerminalEnvironment): string {
  const sets = Object.entries(t.variables).map(([name, value]) => `  set -gx ${name} ${fishQuote(value)}`);
  const { cluster, node } = refusal(t);
  const bin = fishQuote(t.bin);
  const hold = `
function __operator_path_hold --on-event fish_prompt --on-event fish_preexec
  if set -q __operator_path_quiet; and test "$KUBECONFIG" != ${fishQuote(t.variables.KUBECONFIG ?? "")}
    echo "KUBECONFIG was changed. This terminal belongs to the tutorial's cluster, so KUBECONFIG is set back at each prompt." >&2
    set -e __operator_path_quiet
  end
${sets.join("\n")}
  for name in ${foreignVariables.join(" ")}
    set -e $name
    set -q $name; and set -gx $name ""
  end
  if test "$PATH[1]" != ${bin}
    set -gx PATH ${bin} (string match --invert -- ${bin} $PATH)
  end
  for name in ${ownCommands.join(" ")}
    functions --erase $name
    abbr --erase $name
  end
end`;
  const check = `
function __operator_path_check
  set -l seen (eval "kubectl config view --minify --output 'jsonpath={.current-context} at {.clusters[0].cluster.server}'" 2>&1)
  if test "$seen" != ${fishQuote(`${t.context} at ${t.server}`)}
    printf ${fishQuote(`${cluster}\\n`)} "$seen" >&2
    return 1
  end
  set seen (eval "node --version" 2>&1)
  if test "$seen" != ${fishQuote(t.node)}
    printf ${fishQuote(`${node}\\n`)} "$seen" >&2
    return 1
  end
end`;
  const trial = `${hold}\n${check}\n__operator_path_hold\n__operator_path_check`;
  return `
# In a fish of its own first, so that a refusal changes nothing here.
set -l __operator_path_fish (status fish-path)
"$__operator_path_fish" --no-config --command ${fishQuote(trial)}; or return 1
${hold}
${check}

set -e __operator_path_quiet
__operator_path_hold
# The other fish has none of your functions. One that runs when a variable changes can still lead elsewhere.
if not __operator_path_check 2>/dev/null
  functions --erase __operator_path_hold
  echo "This terminal is not safe to use: a function of your startup files changes its environment. Close it." >&2
  return 1
end

function __operator_path_status
  return $argv[1]
end

if not functions -q __operator_path_prompt
  functions -q fish_prompt; and functions --copy fish_prompt __operator_path_prompt
  or function __operator_path_prompt
    echo '> '
  end
end
function fish_prompt
  set -l last $status
  echo -n ${fishQuote(`(${t.label}) `)}
  __operator_path_status $last
  __operator_path_prompt
end

set -g __operator_path_quiet no
`;
}

/** Quotes a text as one word of fish. */
export function fishQuote(text: string): string {
  return `'${text.replaceAll(/['\\]/g, "\\$&")}'`;
}
