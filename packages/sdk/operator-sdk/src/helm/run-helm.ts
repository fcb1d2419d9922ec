import { execa } from "execa";
import { CommandError } from "../command-error.ts";
import { oneLine } from "../one-line.ts";

/** Where a helm is, and what it sees of the environment. */
export interface HelmProgram {
  /** Absolute. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder for what it downloads. Default: the person's own. */
  readonly cache?: string;
}

/**
 * Runs helm where no cluster is needed, with the person's own repositories and logins.
 *
 * @param folder where it runs
 * @returns its standard output
 * @throws HelmRefusal with helm's words; CommandError when it cannot be started
 */
export async function runHelm(
  { path, env, cache }: HelmProgram,
  args: readonly string[],
  folder: string,
): Promise<string> {
  const result = await execa(path, args, {
    ...{ cwd: folder, extendEnv: false, reject: false, stdin: "ignore" },
    env: { ...(cache !== undefined && { HELM_CACHE_HOME: cache }), ...env },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.exitCode === 0) return result.stdout;
  if (result.exitCode === undefined && result.signal === undefined) {
    throw new CommandError(
      `${path} could not be started: ${result.originalMessage ?? result.shortMessage}: is it helm? (HELM says which one); nothing was written`,
    );
  }
  const end =
    result.exitCode === undefined
      ? `was ended by ${result.signal}`
      : `ended with exit code ${result.exitCode}`;
  throw new HelmRefusal(
    errorIn(result.stderr) || `${path} ${end}, and said nothing: is it helm? (HELM says which one)`,
  );
}

/** "4.2.3". */
export async function versionOf(helm: HelmProgram, folder: string): Promise<string> {
  return (await runHelm(helm, ["version", "--template={{.Version}}"], folder)).trim().replace(/^v/, "");
}

/** What helm says when it does not do what it was asked for, in one line. */
export class HelmRefusal extends Error {
  override readonly name = "HelmRefusal";
}

/** Without the warnings and records that come before the error. */
function errorIn(stderr: string): string {
  const at = stderr.lastIndexOf("Error: ");
  return oneLine((at === -1 ? stderr : stderr.slice(at + "Error: ".length)).trim());
}
