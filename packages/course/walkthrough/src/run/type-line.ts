import { setTimeout as sleep } from "node:timers/promises";
import { substituteSamples } from "../expect/samples.ts";
import type { ConsoleBlock, Entry } from "../page/page.ts";
import { isWatch } from "../terminal/read-only.ts";
import { compare, difference, withoutBlankEnd } from "./compare.ts";
import type { ConsoleContext } from "./console-context.ts";
import { PageFailure } from "./failure.ts";
import { nameOf, type PageTerminal, promptAt, stopForeground, until } from "./page-terminal.ts";

/** A line typed at the prompt of the foreground process, and what that answers. Throws PageFailure. */
export async function typeLine(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
): Promise<void> {
  const deadline = Date.now() + (block.options.timeoutMs ?? context.limits.output);
  const prompt = block.options.prompt ?? "";
  for (let wait = 200; ; wait = Math.min(wait * 1.5, 1000)) {
    await until(
      t,
      deadline,
      context.signal,
      () => promptAt(block, t, -1) !== undefined || t.terminal.status() !== undefined,
    );
    const at = promptAt(block, t, -1);
    if (at === undefined) {
      throw difference(
        entry,
        withoutBlankEnd(t.terminal.lines()).slice(-20),
        context,
        `the prompt "${prompt}" did not appear in ${nameOf(t)}`,
        t.command,
      );
    }
    const text = substituteSamples(entry.text, context.samples);
    t.terminal.type(`${text}\n`);
    await until(
      t,
      deadline,
      context.signal,
      () => promptAt(block, t, at) !== undefined || t.terminal.status() !== undefined,
    );
    const status = t.terminal.status();
    const next = promptAt(block, t, at) ?? t.terminal.lines().length;
    // The line of the prompt holds the echo of what was typed, or, without echo, the first line of the answer.
    const [first = "", ...rest] = t.terminal.lines().slice(at, next);
    const answer = first.slice(first.lastIndexOf(prompt.trimEnd()) + prompt.trimEnd().length).trim();
    const lines = answer === "" || answer === text.trim() ? rest : [answer, ...rest];
    t.matched = next;
    const failure =
      status === undefined && promptAt(block, t, at) === undefined
        ? difference(entry, lines, context, `\`${entry.text}\` did not come back to the prompt`, text)
        : compare(
            block,
            entry,
            withoutBlankEnd(lines),
            status ?? entry.expected.exitStatus ?? 0,
            context,
            { open: false },
            text,
          );
    if (!failure) return;
    if (!block.options.retry || status !== undefined || Date.now() + wait > deadline) throw failure;
    await sleep(wait, undefined, { signal: context.signal });
  }
}

/** ^C or ^D. */
export async function endForeground(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
): Promise<void> {
  if (t.terminal.running() === undefined) {
    if (context.cleaningUp) return;
    throw new PageFailure(
      entry.line,
      `nothing runs in ${nameOf(t)} that ${entry.kind === "interrupt" ? "^C" : "^D"} could end`,
    );
  }
  const before = t.terminal.lines().length - 1;
  t.terminal.type(entry.kind === "interrupt" ? "\x03" : "\x04");
  const deadline = Date.now() + (block.options.timeoutMs ?? context.limits.interrupt);
  await until(t, deadline, context.signal, () => t.terminal.status() !== undefined);
  const status = t.terminal.status();
  if (status === undefined) {
    await stopForeground(t);
    throw new PageFailure(
      entry.line,
      `\`${t.command}\` did not end after ${entry.kind === "interrupt" ? "^C" : "^D"}`,
    );
  }
  const lines = withoutBlankEnd(
    t.terminal
      .lines()
      .slice(Math.max(before, t.matched))
      .filter((line) => line !== "^C"),
  );
  const asked = entry.kind === "interrupt" && entry.expected.exitStatus === undefined;
  const interrupted = asked && interruptedStatuses(t.command).includes(status);
  const failure = compare(block, entry, lines, interrupted ? 0 : status, context, { open: false }, t.command);
  if (failure) throw failure;
}

/** An interrupted program says 130, make says 2, one that shuts down gracefully 0, and kubectl 1 when it watches. */
function interruptedStatuses(command: string): number[] {
  return /^kubectl\s/.test(command) && isWatch(command) ? [0, 1, 2, 130] : [0, 2, 130];
}
