import { execa } from "execa";
import { CommandError, oneLine } from "../command-error.ts";

/** The path of helm, and its environment. */
export interface HelmProgram {
  /** Absolute. */
  readonly path: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder for its downloads. Default: the user's own cache. */
  readonly cache?: string;
}

/**
 * Runs a helm command that needs no cluster, with the user's own repositories and logins.
 *
 * @param folder the working directory
 * @returns the standard output
 * @throws HelmError with helm's error message if helm fails; CommandError if helm cannot be started
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
      `${path} cannot be started: ${result.originalMessage ?? result.shortMessage}: set HELM to the path of helm; nothing was written`,
    );
  }
  const end =
    result.exitCode === undefined
      ? `was terminated by ${result.signal}`
      : `exited with code ${result.exitCode}`;
  throw new HelmError(
    errorIn(result.stderr) || `${path} ${end} without a message: set HELM to the path of helm`,
  );
}

/** Returns the version of helm, such as "4.2.3". */
export async function versionOf(helm: HelmProgram, folder: string): Promise<string> {
  return (await runHelm(helm, ["version", "--template={{.Version}}"], folder)).trim().replace(/^v/, "");
}

/** An error of helm itself. The message is helm's, in one line. */
export class HelmError extends Error {
  override readonly name = "HelmError";
}

/** Returns helm's error message without the warnings and log lines before it. */
function errorIn(stderr: string): string {
  const at = stderr.lastIndexOf("Error: ");
  return oneLine((at === -1 ? stderr : stderr.slice(at + "Error: ".length)).trim());
}
