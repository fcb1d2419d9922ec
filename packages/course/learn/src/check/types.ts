import { existsSync } from "node:fs";
import { join, normalize } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { runProgram } from "@operator-path/walkthrough";
import { type CompilerError, jsImportsOf, withAdvice } from "./compiler-advice.ts";
import { readProject } from "./place.ts";

type Place = Omit<CompilerError, "message">;

export interface TypesOptions {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal?: AbortSignal;
}

/**
 * Runs the project's own TypeScript compiler, and returns its errors, with advice. Imports that compile and fail
 * in Node are errors too. Returns undefined if the project has no tsconfig.json, or its packages are not
 * installed.
 */
export async function typeErrorsOf(
  project: string,
  { env, signal }: TypesOptions,
): Promise<readonly CompilerError[] | undefined> {
  const tsc = join(project, "node_modules/.bin/tsc");
  if (!existsSync(tsc) || !existsSync(join(project, "tsconfig.json"))) return undefined;
  // Only the long form has the related messages, such as "Did you forget to use 'await'?".
  const args = ["-p", "tsconfig.json", "--noEmit", "--pretty", "true"];
  const { output } = await runProgram(tsc, args, { cwd: project, env, signal });
  const files = readProject(project);
  const errors = parseErrors(stripVTControlCharacters(output)).map((error) => {
    const line = files.get(error.file)?.split("\n")[error.line - 1] ?? "";
    return { ...error, message: withAdvice(error.message, line) };
  });
  return [...errors, ...jsImportsOf(files)];
}

function parseErrors(output: string): CompilerError[] {
  const errors: CompilerError[] = [];
  const lines = output.split("\n").map((line) => line.trimEnd());
  for (const [at, text] of lines.entries()) {
    const match = /^( {2})?(\S.*?):(\d+):(\d+) - (.+)$/.exec(text);
    if (!match) continue;
    const [, related, path = "", row, column, message = ""] = match;
    const place = { file: normalize(path), line: Number(row), column: Number(column) };
    const last = errors.at(-1);
    if (!related)
      errors.push({ ...place, message: [message, ...innermostReason(lines.slice(at + 1))].join(" ") });
    else if (last && !place.file.includes("node_modules"))
      errors.splice(-1, 1, { ...last, message: `${last.message} ${relatedTo(last, place, message)}` });
  }
  return errors;
}

/** Returns the last of the indented lines that explain an error. The ones above it only say where it is nested. */
function innermostReason(following: readonly string[]): string[] {
  const end = following.findIndex((line) => !line.startsWith("  "));
  return following.slice(Math.max(0, end - 1), Math.max(0, end)).map((line) => line.trim());
}

function relatedTo(error: Place, { file, line, column }: Place, message: string): string {
  const isThere = file === error.file && line === error.line && column === error.column;
  return isThere ? message : `(${file}:${line}:${column}: ${message})`;
}
