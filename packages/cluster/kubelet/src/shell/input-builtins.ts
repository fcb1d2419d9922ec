import type { ProcessContext } from "../runtime/contracts.ts";
import type { ShellState } from "./shell-state.ts";

/** A line of the shell's input; undefined at its end. */
export type ReadLine = (signal?: AbortSignal) => Promise<string | undefined>;

/** `read`: a line into variables; the last one gets what is left. Status 1 at the end of input. */
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

/** `cat` at a terminal: each line comes back, until ^D. */
export async function echoLines(
  readLine: ReadLine,
  context: ProcessContext,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let line = await readLine(signal); line !== undefined; line = await readLine(signal)) {
    await context.stdout(`${line}\n`);
  }
}
