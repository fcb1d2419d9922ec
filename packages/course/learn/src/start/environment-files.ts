import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { quote } from "@operator-path/tools";
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

/**
 * Writes `env.sh` and `env.fish`. After the end of the session they change nothing, print that, and return 1.
 *
 * @param folders the terminal changes to the first one that exists
 */
export async function writeEnvironmentFiles(
  directory: string,
  terminal: TerminalEnvironment,
  folders: readonly string[],
): Promise<EnvironmentFiles> {
  const environmentFile = join(directory, "env.sh");
  const fishFile = join(directory, "env.fish");
  const over = "The session of this file is over: pnpm start begins another.";
  const kubeconfig = terminal.variables.KUBECONFIG ?? "";
  const posix = `# For another terminal of this session: . ${environmentFile}
[ -e ${quote(kubeconfig)} ] || { echo ${quote(over)} >&2; return 1; }
${posixEnvironment(terminal)}
${folders.map((folder) => `cd ${quote(folder)} 2>/dev/null`).join(" || ")}
`;
  const fish = `# For another terminal of this session: source ${fishFile}
if not test -e ${fishQuote(kubeconfig)}
  echo ${fishQuote(over)} >&2
  return 1
end
${fishEnvironment(terminal)}
${folders.map((folder) => `cd ${fishQuote(folder)} 2>/dev/null`).join("; or ")}
`;
  await writeFile(environmentFile, posix);
  await writeFile(fishFile, fish);
  return { environmentFile, fishFile };
}
