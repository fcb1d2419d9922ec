import { existsSync } from "node:fs";
import { join, normalize } from "node:path";
import { runProgram } from "@operator-path/walkthrough";

/** An error that the compiler reports. */
export interface CompilerError {
  /** Path relative to the project. */
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** The compiler's words: `error TS2551: Property 'listr' does not exist …`. */
  readonly message: string;
}

export interface TypesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/**
 * Runs the project's own TypeScript compiler, and returns its errors. Returns undefined if the project has no
 * tsconfig.json, or its packages are not installed.
 */
export async function typeErrorsOf(
  project: string,
  { env, signal }: TypesOptions,
): Promise<readonly CompilerError[] | undefined> {
  const tsc = join(project, "node_modules/.bin/tsc");
  if (!existsSync(tsc) || !existsSync(join(project, "tsconfig.json"))) return undefined;
  const args = ["-p", "tsconfig.json", "--noEmit", "--pretty", "false"];
  const { output } = await runProgram(tsc, args, { cwd: project, env, signal });
  return output.split("\n").flatMap((line) => {
    const match = /^(\S.*?)\((\d+),(\d+)\): (error .*)$/.exec(line);
    if (!match) return [];
    const [, file = "", row, column, message = ""] = match;
    return [{ file: normalize(file), line: Number(row), column: Number(column), message }];
  });
}
