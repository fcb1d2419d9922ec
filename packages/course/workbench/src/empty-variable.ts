import type { Entry } from "@operator-path/walkthrough";
import type { LearnerTerminal } from "./learner-terminal.ts";

/** Returns a variable that a command has set to the output of another one, if it is empty. */
export async function emptyVariable(
  { kind, text }: Entry,
  { runUnseen }: Pick<LearnerTerminal, "runUnseen">,
  signal: AbortSignal,
): Promise<string | undefined> {
  const assignment = /^(?:export )?([A-Za-z_]\w*)=("?)\$\([^(].*\)\2$/s;
  const name = kind === "command" ? assignment.exec(text)?.[1] : undefined;
  if (name === undefined) return undefined;
  const seen = await runUnseen(`[ -n "\${${name}-}" ]`, { timeout: 2000, signal });
  return seen?.status === 1 ? name : undefined;
}

export function nothingPrinted(variable: string): string {
  return `The command has printed nothing, so ${variable} is empty. Run it again when there is something to print.`;
}
