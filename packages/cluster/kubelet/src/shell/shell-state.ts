import type { ProcessContext } from "../runtime/contracts.ts";
import type { FunctionDefinition } from "./syntax.ts";

/** The state of a shell between commands. */
export interface ShellState {
  cwd: string;
  /** All variables, exported or not. */
  variables: Record<string, string>;
  exported: Set<string>;
  functions: Map<string, FunctionDefinition>;
  /** `$1`, `$2`, … */
  positional: string[];
  /** `$?` */
  status: number;
  /** `set -e` */
  errexit: boolean;
  /** How many nested functions are running. */
  callDepth: number;
}

/** Why a list of commands ended early. */
export type Leave =
  | { kind: "break" | "continue"; levels: number }
  | { kind: "return" }
  /** Drops the whole input without ending the shell. */
  | { kind: "discard" }
  | { kind: "exit" };

/** Returns a copy for a subshell. */
export function fork(state: ShellState): ShellState {
  return {
    ...state,
    variables: { ...state.variables },
    exported: new Set(state.exported),
    functions: new Map(state.functions),
    positional: [...state.positional],
  };
}

/** Returns the environment of the programs that the shell starts. */
export function exportedOf(state: ShellState): Record<string, string> {
  return Object.fromEntries(
    [...state.exported]
      .filter((name) => name in state.variables)
      .map((name) => [name, state.variables[name] as string]),
  );
}

/** Reads a line of the shell's input. undefined: the input has ended. */
export type ReadLine = (signal?: AbortSignal) => Promise<string | undefined>;

/**
 * `read`: reads a line into variables. The last variable gets the rest of the line. The status is 1 at the
 * end of input.
 */
export async function readInto(
  state: ShellState,
  args: string[],
  readLine: ReadLine,
  context: ProcessContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  const names = args.filter((word) => !word.startsWith("-"));
  const prompt = args.indexOf("-p");
  if (prompt >= 0) context.stderr(args[prompt + 1] ?? "");
  const line = await readLine(signal);
  const wanted = prompt >= 0 ? names.filter((name) => name !== args[prompt + 1]) : names;
  const words = (line ?? "").trim().split(/\s+/);
  for (const [index, name] of (wanted.length ? wanted : ["REPLY"]).entries()) {
    state.variables[name] = index === wanted.length - 1 ? words.slice(index).join(" ") : (words[index] ?? "");
  }
  state.status = line === undefined ? 1 : 0;
}

/** `cat` at a terminal: repeats each line until ^D. */
export async function echoLines(
  readLine: ReadLine,
  context: ProcessContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let line = await readLine(signal); line !== undefined; line = await readLine(signal)) {
    await context.stdout(`${line}\n`);
  }
}
