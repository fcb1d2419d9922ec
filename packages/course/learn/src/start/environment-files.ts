import { rename, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quote } from "@operator-path/tools";
import { pnpmCommand } from "../pnpm-command.ts";
import {
  fishEnvironment,
  fishQuote,
  posixEnvironment,
  type TerminalEnvironment,
} from "./terminal-environment.ts";

/** Files that give another terminal the environment of this session. */
export interface EnvironmentFiles {
  /** For bash, zsh and POSIX shells: `. <file>`. */
  readonly environmentFile: string;
  /** For fish: `source <file>`. */
  readonly fishFile: string;
}

/** Returns the link to the `env.sh`, or `env.fish`, of the last session. After that session's end, it leads nowhere. */
export function latestFile(folder: string, shell: "sh" | "fish" = "sh"): string {
  return join(folder, `.latest-env.${shell}`);
}

/**
 * Writes `env.sh` and `env.fish`. After the end of the session they change nothing, print that, and return 1.
 * A bash, zsh or fish that has read one prints it too, and reads the file of the tutorial's next session, which
 * it finds by a link in `beside`. If only a session of another tutorial has begun, it prints how to read that one's
 * file, which it finds by a link in `all`.
 *
 * @param folder the terminal changes to it. While it is missing, the terminal changes to `beside`, and in bash,
 *   zsh and fish to `folder` at the first prompt after that exists. A shell that starts in `beside` stays there
 * @param beside the folder of the learners' folders for the tutorial, which exists
 * @param all the folder of the learners' folders for all tutorials, which exists
 */
export async function writeEnvironmentFiles(
  directory: string,
  terminal: TerminalEnvironment,
  { folder, beside, all }: { readonly folder: string; readonly beside: string; readonly all: string },
): Promise<EnvironmentFiles> {
  const environmentFile = join(directory, "env.sh");
  const fishFile = join(directory, "env.fish");
  const start = `${await pnpmCommand(process.env)} start`;
  const where = "in the repository's folder";
  const over = `This file's session is over: ${start} ${where} starts a new one.`;
  const kubeconfig = terminal.variables.KUBECONFIG ?? "";
  const missing = `The page has not made ${folder} yet.`;
  const goes = `${missing} This terminal changes to it once it exists.`;
  const ended = `This terminal's session is over. After the next ${start} ${where}, it uses the new session's cluster.`;
  const renewed =
    "The cluster was restarted. This terminal uses the new one now. If your last command failed, type it again.";
  const latest = latestFile(beside);
  const latestFish = latestFile(beside, "fish");
  const other = latestFile(all);
  const otherFish = latestFile(all, "fish");
  const elsewhere =
    "This terminal's session is over, and a session of another tutorial has started. To use that one here, type:";
  const told = `${missing} When it exists, type: cd ${quote(folder)}`;
  const posix = `# For another terminal of this session: . ${environmentFile}
[ -e ${quote(kubeconfig)} ] || { echo ${quote(over)} >&2; return 1; }
__operator_path_arrive() {
  [ -n "\${__operator_path_awaits-}" ] && [ -d ${quote(folder)} ] || return 0
  __operator_path_awaits=
  if [ . -ef ${quote(beside)} ]; then \\cd ${quote(folder)} || :; fi
}
__operator_path_renew() {
  [ -e ${quote(kubeconfig)} ] && return 0
  if ! [ -e ${quote(latest)} ]; then
    if [ -e ${quote(other)} ]; then
      [ "\${__operator_path_over-}" = other ] || echo ${quote(`${elsewhere} . ${quote(other)}`)} >&2
      __operator_path_over=other
      return 0
    fi
    [ -n "\${__operator_path_over-}" ] || echo ${quote(ended)} >&2
    __operator_path_over=yes
    return 0
  fi
  # Empty in a folder that was moved aside: the terminal then goes to the new one.
  __operator_path_here=
  if [ . -ef "$PWD" ]; then __operator_path_here=$PWD; fi
  . ${quote(latest)} || return 0
  if [ -n "$__operator_path_here" ]; then \\cd "$__operator_path_here" || :; fi
  echo ${quote(renewed)} >&2
}
${posixEnvironment(terminal)}
__operator_path_over=
__operator_path_awaits=
if [ -d ${quote(folder)} ]; then
  \\cd ${quote(folder)}
elif [ -d ${quote(beside)} ] && ! [ . -ef ${quote(beside)} ]; then
  \\cd ${quote(beside)}
  if [ -n "\${BASH_VERSION-}\${ZSH_VERSION-}" ]; then
    __operator_path_awaits=yes
    echo ${quote(goes)} >&2
  else
    echo ${quote(told)} >&2
  fi
fi
if [ -n "\${ZSH_VERSION-}" ]; then
  eval 'precmd_functions=(\${precmd_functions:#__operator_path_(arrive|renew)} __operator_path_arrive __operator_path_renew)'
fi
`;
  const fish = `# For another terminal of this session: source ${fishFile}
if not test -e ${fishQuote(kubeconfig)}
  echo ${fishQuote(over)} >&2
  return 1
end
${fishEnvironment(terminal)}
set -e __operator_path_over
function __operator_path_renew --on-event fish_prompt
  test -e ${fishQuote(kubeconfig)}; and return
  if not test -e ${fishQuote(latestFish)}
    if test -e ${fishQuote(otherFish)}
      test "$__operator_path_over" = other; or echo ${fishQuote(`${elsewhere} source ${fishQuote(otherFish)}`)} >&2
      set -g __operator_path_over other
      return
    end
    set -q __operator_path_over; or echo ${fishQuote(ended)} >&2
    set -g __operator_path_over yes
    return
  end
  # Empty in a folder that was moved aside: the terminal then goes to the new one.
  set -l here
  test "$(realpath -- "$PWD" 2>/dev/null)" = "$(command pwd -P)"; and set here $PWD
  source ${fishQuote(latestFish)}; or return
  test -n "$here"; and builtin cd $here
  echo ${fishQuote(renewed)} >&2
end
if test -d ${fishQuote(folder)}
  builtin cd ${fishQuote(folder)}
else if test -d ${fishQuote(beside)}; and test (pwd -P) != (realpath ${fishQuote(beside)})
  builtin cd ${fishQuote(beside)}
  echo ${fishQuote(goes)} >&2
  function __operator_path_arrive --on-event fish_prompt
    test -d ${fishQuote(folder)}; or return
    functions --erase __operator_path_arrive
    test (pwd -P) = (realpath ${fishQuote(beside)}); and builtin cd ${fishQuote(folder)}
  end
end
`;
  await writeFile(environmentFile, posix);
  await writeFile(fishFile, fish);
  for (const path of [latest, other]) await link(environmentFile, path);
  for (const path of [latestFish, otherFish]) await link(fishFile, path);
  return { environmentFile, fishFile };
}

/** Makes a symbolic link, in the place of an older one. */
async function link(target: string, path: string): Promise<void> {
  const next = `${path}.${process.pid}`;
  await symlink(target, next);
  await rename(next, path);
}
