import * as clack from "@clack/prompts";
import { unlessAborted } from "../closed-terminal.ts";

/** Whether somebody is here to answer: a terminal, and not a CI that looks like one. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env.CI;
}

/** Asks; Enter alone is no, and so is Ctrl+C. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const answer = await unlessAborted(
    clack.confirm({ message: question, initialValue: false, signal }),
    signal,
  );
  return answer === true;
}
