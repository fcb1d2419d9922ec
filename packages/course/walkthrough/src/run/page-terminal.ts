import type { ConsoleBlock } from "../page/page.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** A terminal of the page, and how far its output has been matched. */
export interface PageTerminal {
  readonly terminal: Terminal;
  /** Lines of the foreground command's output that the page has already accounted for. */
  matched: number;
  /** The foreground command, as the page says it. */
  command: string;
}

/** Index of the line that is the foreground process's prompt, when it is the last line and stands after `after`. */
export function promptAt(block: ConsoleBlock, t: PageTerminal, after: number): number | undefined {
  const prompt = block.options.prompt?.trimEnd();
  if (prompt === undefined || t.terminal.status() !== undefined) return undefined;
  const lines = t.terminal.lines();
  const last = lines.length - 1;
  return last > after && lines[last]?.endsWith(prompt) ? last : undefined;
}

export function withoutPrompt(block: ConsoleBlock, t: PageTerminal): string[] {
  const lines = t.terminal.lines();
  return promptAt(block, t, -1) === undefined ? lines : lines.slice(0, -1);
}

/** Waits for a condition of the terminal, or the deadline. */
export async function until(
  t: PageTerminal,
  deadline: number,
  signal: AbortSignal,
  condition: () => boolean,
): Promise<void> {
  while (!condition()) {
    const left = deadline - Date.now();
    if (left <= 0) return;
    await t.terminal.changed(Math.min(left, 1000), signal);
    signal.throwIfAborted();
  }
}

export async function stopForeground(t: PageTerminal): Promise<void> {
  t.terminal.type("\x03");
  const deadline = Date.now() + 2000;
  while (t.terminal.status() === undefined && Date.now() < deadline) await t.terminal.changed(200);
}

/** As a report calls it. */
export function nameOf(t: PageTerminal): string {
  return t.terminal.name === "" ? "the terminal" : `terminal ${t.terminal.name}`;
}
