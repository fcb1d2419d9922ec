import { setTimeout as sleep } from "node:timers/promises";
import { substituteSamples } from "../expect/samples.ts";
import type { ConsoleBlock, Entry } from "../page/page.ts";
import { isReadOnly } from "../terminal/read-only.ts";
import { awaitLines, outputDeadline } from "./await-output.ts";
import { compare } from "./compare.ts";
import type { ConsoleContext } from "./console-context.ts";
import { PageFailure } from "./failure.ts";
import {
  nameOf,
  type PageTerminal,
  promptAt,
  stopForeground,
  until,
  withoutPrompt,
} from "./page-terminal.ts";
import { createSettling } from "./settled.ts";

/** A command at the shell's prompt; one that only reads is repeated until it matches. Throws PageFailure. */
export async function runCommand(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
  leaveRunning: boolean,
): Promise<void> {
  if (t.terminal.running() !== undefined) {
    throw new PageFailure(
      entry.line,
      `${nameOf(t)} still runs \`${t.command}\`: interrupt it (^C) first, or use another terminal`,
    );
  }
  const repeats =
    !leaveRunning && block.options.prompt === undefined && (block.options.retry || isReadOnly(entry.text));
  const command = substituteSamples(entry.text, context.samples);
  const deadline =
    Date.now() + (block.options.timeoutMs ?? (repeats ? context.limits.repeat : context.limits.command));
  t.command = entry.text;

  const settled = createSettling(block, context);
  let compared: PageFailure | undefined;
  const once = async (): Promise<PageFailure | undefined> => {
    t.matched = 0;
    t.terminal.start(command);
    if (leaveRunning) return awaitRunning(block, entry, t, context, deadline);
    await until(
      t,
      deadline,
      context.signal,
      () => t.terminal.status() !== undefined || promptAt(block, t, -1) !== undefined,
    );
    const status = t.terminal.status();
    if (status === undefined && promptAt(block, t, -1) === undefined) {
      await stopForeground(t);
      // A repetition that the deadline cuts short says less than what the command printed before.
      if (compared) return compared;
      return new PageFailure(
        entry.line,
        `\`${entry.text}\` did not end within its time (timeout=… gives it more)`,
        {
          command,
          diff: t.terminal
            .lines()
            .slice(-20)
            .map((text) => ({ kind: "+", text })),
        },
      );
    }
    const lines = withoutPrompt(block, t);
    compared = compare(block, entry, lines, status ?? 0, context, { open: false }, command);
    t.matched = t.terminal.lines().length - (status === undefined ? 1 : 0);
    return compared;
  };

  for (let wait = 100; ; wait = Math.min(wait * 1.5, 1000)) {
    const failure = await once();
    context.signal.throwIfAborted();
    if (failure === undefined) break;
    if (!repeats || Date.now() + wait > deadline || settled(failure)) throw failure;
    await sleep(wait, undefined, { signal: context.signal });
  }
  if (block.options.holdsMs !== undefined && !leaveRunning) {
    const end = Date.now() + block.options.holdsMs;
    while (Date.now() < end) {
      await sleep(Math.min(500, Math.max(1, end - Date.now())), undefined, { signal: context.signal });
      const failure = await once();
      if (failure)
        throw new PageFailure(failure.line, `it did not hold: ${failure.message}`, {
          diff: failure.diff,
          command,
        });
    }
  }
}

/** A command that is left running: what is shown of it must come, more may follow. */
async function awaitRunning(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
  deadline: number,
): Promise<PageFailure | undefined> {
  if (entry.expected.lines.length > 0)
    return awaitLines(block, entry, t, context, Math.min(deadline, outputDeadline(block, context)));
  return undefined;
}
