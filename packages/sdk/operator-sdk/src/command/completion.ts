import type { Command } from "commander";
import { CommandError } from "../command-error.ts";

/** Returns the words that can follow each command: "operator-sdk create" → "api webhook". */
function wordsOf(command: Command, path = command.name()): [path: string, words: string[]][] {
  const flags = command.options
    .flatMap((option) => option.long ?? [])
    .filter((long) => !long.startsWith("--no-"));
  const words = [...command.commands.map((each) => each.name()), ...flags, "--help"];
  return [[path, words], ...command.commands.flatMap((each) => wordsOf(each, `${path} ${each.name()}`))];
}

const shells: Readonly<Record<string, (program: Command) => string>> = {
  bash: bashScript,
  zsh: (program) => `autoload -U +X bashcompinit && bashcompinit\n${bashScript(program)}`,
  fish: fishScript,
};

/**
 * Returns the completion script of `operator-sdk completion <shell>`.
 *
 * @throws CommandError for a shell other than bash, zsh or fish
 */
export function completion(shell: string, program: Command): string {
  const script = Object.hasOwn(shells, shell) ? shells[shell] : undefined;
  if (!script) {
    throw new CommandError(
      `completion ${JSON.stringify(shell)}: the shells are ${Object.keys(shells).join(", ")}`,
    );
  }
  return script(program);
}

function bashScript(program: Command): string {
  const cases = wordsOf(program).map(([path, words]) => `    "${path}") words="${words.join(" ")}" ;;`);
  return `# source <(operator-sdk completion bash)
_operator_sdk() {
  local path="operator-sdk" word words=""
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) break ;; esac
    path="$path $word"
  done
  case "$path" in
${cases.join("\n")}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _operator_sdk operator-sdk
`;
}

function fishScript(program: Command): string {
  const lines = wordsOf(program).flatMap(([path, words]) => {
    const [, ...commands] = path.split(" ");
    const seen = commands.map((word) => `__fish_seen_subcommand_from ${word}`).join("; and ");
    const condition = seen === "" ? "__fish_use_subcommand" : seen;
    return words.map((word) =>
      word.startsWith("--")
        ? `complete -c operator-sdk -n "${condition}" -l ${word.slice(2)}`
        : `complete -c operator-sdk -f -n "${condition}" -a ${word}`,
    );
  });
  return `# operator-sdk completion fish | source\n${lines.join("\n")}\n`;
}
