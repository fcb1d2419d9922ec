import { executablesOnPath } from "@operator-path/tools";
import { coerce, parse, type SemVer } from "semver";
import { ask } from "./ask.ts";
import type { Machine } from "./machine.ts";

/** An executable on the PATH, and its version. */
export interface OnPath {
  readonly path: string;
  /** Undefined: unknown, for the reason in `problem`. */
  readonly version?: SemVer;
  readonly problem?: string;
}

/**
 * Finds every executable of a name on the PATH, in order, and asks them for their versions side by side.
 *
 * @param read returns the version in the answer. Default: the first text that looks like one
 */
export async function versionsOnPath(
  machine: Machine,
  name: string,
  args: readonly string[],
  read: (stdout: string) => string | undefined = (stdout) => /\d+\.\d+(\.\d+)?[\w.+-]*/.exec(stdout)?.[0],
): Promise<OnPath[]> {
  const paths = await executablesOnPath(name, machine.env);
  return Promise.all(
    paths.map(async (path): Promise<OnPath> => {
      const { stdout, complaint, outcome } = await ask(machine, path, args);
      if (outcome === "hung") return { path, problem: `gives ${complaint}` };
      if (outcome === "failed") return { path, problem: `does not run: ${complaint}` };
      const text = read(stdout) ?? "";
      const version = parse(text) ?? coerce(text);
      return version ? { path, version } : { path, problem: "does not report its version" };
    }),
  );
}
