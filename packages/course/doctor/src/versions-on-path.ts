import { executablesOnPath } from "@operator-path/tools";
import { coerce, parse, type SemVer } from "semver";
import { ask } from "./ask.ts";
import type { Machine } from "./machine.ts";

/** An executable of the PATH, and what it says about itself. */
export interface OnPath {
  readonly path: string;
  /** Undefined: it does not say, for the reason in `problem`. */
  readonly version?: SemVer;
  readonly problem?: string;
}

/**
 * Every executable of that name on the PATH, in its order, asked side by side.
 *
 * @param read the version in the answer. Default: the first thing in it that looks like one
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
      return version ? { path, version } : { path, problem: "does not say its version" };
    }),
  );
}
