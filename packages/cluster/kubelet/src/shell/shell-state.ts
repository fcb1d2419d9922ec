import type { FunctionDefinition } from "./syntax.ts";

/** What a shell remembers from one command to the next. */
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
  /** How many functions are being executed, one inside the other. */
  callDepth: number;
}

/** A copy for a subshell. */
export function fork(state: ShellState): ShellState {
  return {
    ...state,
    variables: { ...state.variables },
    exported: new Set(state.exported),
    functions: new Map(state.functions),
    positional: [...state.positional],
  };
}

/** The environment of what the shell starts. */
export function exportedOf(state: ShellState): Record<string, string> {
  return Object.fromEntries(
    [...state.exported]
      .filter((name) => name in state.variables)
      .map((name) => [name, state.variables[name] as string]),
  );
}
