import { setTimeout as sleep } from "node:timers/promises";
import { substituteSamples } from "../expect/samples.ts";
import { isWatch } from "../terminal/read-only.ts";
import { compare, difference, type EntryContext, type EntryResult, withoutBlankEnd } from "./compare.ts";
import { PageFailure } from "./failure.ts";
import { nameOf, promptAt, stopForeground, until } from "./page-terminal.ts";

/**
 * Types a line at the prompt of the foreground process, and compares the answer. With `retry`, until it
 * matches.
 */
export async function typeLine(context: EntryContext): Promise<EntryResult> {
  const { block, entry, terminal: t, samples, limits, signal } = context;
  const deadline = Date.now() + (block.options.timeoutMs ?? limits.output);
  const prompt = block.options.prompt ?? "";
  const promptAfter = (line: number): Promise<void> =>
    until(
      t,
      deadline,
      signal,
      () => promptAt(block, t, line) !== undefined || t.terminal.status() !== undefined,
    );
  for (let wait = 200; ; wait = Math.min(wait * 1.5, 1000)) {
    await promptAfter(-1);
    const at = promptAt(block, t, -1);
    if (at === undefined) {
      const seen = withoutBlankEnd(t.terminal.lines()).slice(-20);
      const message = `the prompt "${prompt}" did not appear in ${nameOf(t)}`;
      return { failure: difference(entry, seen, samples, message, t.command) };
    }
    const text = substituteSamples(entry.text, samples);
    t.terminal.type(`${text}\n`);
    await promptAfter(at);
    const status = t.terminal.status();
    const nextPrompt = promptAt(block, t, at);
    const next = nextPrompt ?? t.terminal.lines().length;
    // The line of the prompt holds the echo of what was typed, or, without echo, the first line of the
    // answer.
    const [first = "", ...rest] = t.terminal.lines().slice(at, next);
    const answer = first.slice(first.lastIndexOf(prompt.trimEnd()) + prompt.trimEnd().length).trim();
    const lines = answer === "" || answer === text.trim() ? rest : [answer, ...rest];
    t.matched = next;
    const result: EntryResult =
      status === undefined && nextPrompt === undefined
        ? {
            failure: difference(
              entry,
              lines,
              samples,
              `\`${entry.text}\` did not come back to the prompt`,
              text,
            ),
          }
        : compare(context, lines, status ?? entry.expected.exitStatus ?? 0, text);
    if (!("failure" in result)) return result;
    if (!block.options.retry || status !== undefined || Date.now() + wait > deadline) return result;
    await sleep(wait, undefined, { signal });
  }
}

/** Types ^C or ^D, and waits for the end of the foreground process. */
export async function endForeground(context: EntryContext): Promise<EntryResult> {
  const { block, entry, terminal: t, samples, limits, signal } = context;
  const key = entry.kind === "interrupt" ? "^C" : "^D";
  if (t.terminal.running() === undefined) {
    if (context.cleaningUp) return { samples };
    return { failure: new PageFailure(entry.line, `${key} has no effect: no command runs in ${nameOf(t)}`) };
  }
  const before = t.terminal.lines().length - 1;
  t.terminal.type(entry.kind === "interrupt" ? "\x03" : "\x04");
  const deadline = Date.now() + (block.options.timeoutMs ?? limits.interrupt);
  await until(t, deadline, signal, () => t.terminal.status() !== undefined);
  const status = t.terminal.status();
  if (status === undefined) {
    await stopForeground(t);
    return { failure: new PageFailure(entry.line, `\`${t.command}\` did not end after ${key}`) };
  }
  const lines = t.terminal
    .lines()
    .slice(Math.max(before, t.matched))
    .filter((line) => line !== "^C");
  const interrupted =
    entry.kind === "interrupt" &&
    entry.expected.exitStatus === undefined &&
    interruptedStatuses(t.command).includes(status);
  return compare(context, lines, interrupted ? 0 : status, t.command);
}

/**
 * Exit statuses of an interrupted command. A program that ends at once returns 130, make 2, one that shuts
 * down gracefully 0, and kubectl 1 when it watches.
 */
function interruptedStatuses(command: string): number[] {
  return /^kubectl\s/.test(command) && isWatch(command) ? [0, 1, 2, 130] : [0, 2, 130];
}
