import * as clack from "@clack/prompts";
import { unlessAborted } from "../closed-terminal.ts";

/** Reports whether a person can answer: on a terminal, and not in CI. */
export function canAsk(): boolean {
  return process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env.CI;
}

/** Asks a question. Enter alone and Ctrl+C mean no. */
export async function confirm(question: string, signal: AbortSignal): Promise<boolean> {
  const answer = await unlessAborted(
    clack.confirm({ message: question, initialValue: false, signal }),
    signal,
  );
  return answer === true;
}
