import { setTimeout as sleep } from "node:timers/promises";
import { substituteSamples } from "../expect/samples.ts";
import { isReadOnly } from "../terminal/read-only.ts";
import { createSettling } from "./acceptance.ts";
import { awaitLines, outputDeadline } from "./await-output.ts";
import { compare, type EntryContext, type EntryResult } from "./compare.ts";
import { PageFailure } from "./failure.ts";
import { nameOf, promptAt, stopForeground, until, withoutPrompt } from "./page-terminal.ts";

/**
 * Runs a command at the shell's prompt. Repeats a command that only reads until its output matches, with
 * growing pauses. With `holds=`, the output must then keep matching for that long.
 *
 * @param leaveRunning wait only for the expected lines, and leave the command running in its terminal
 */
export async function runCommand(context: EntryContext, leaveRunning: boolean): Promise<EntryResult> {
  const { block, entry, terminal: t, limits, signal } = context;
  if (t.terminal.running() !== undefined) {
    const message = `${nameOf(t)} still runs \`${t.command}\`: interrupt it (^C) first, or use another terminal`;
    return { failure: new PageFailure(entry.line, message) };
  }
  const { timeoutMs, holdsMs, prompt, retry } = block.options;
  const repeats = !leaveRunning && prompt === undefined && (retry || isReadOnly(entry.text));
  const command = substituteSamples(entry.text, context.samples);
  const deadline = Date.now() + (timeoutMs ?? (repeats ? limits.repeat : limits.command));
  t.command = entry.text;

  const settled = createSettling(context);
  let result = await runOnce(context, command, { leaveRunning, deadline });
  for (let wait = limits.pause; ; wait = Math.max(limits.pause, Math.min(wait * 1.5, limits.longestPause))) {
    signal.throwIfAborted();
    if (!("failure" in result)) break;
    if (!repeats || Date.now() + wait > deadline || settled(result.failure)) return result;
    await sleep(wait, undefined, { signal });
    result = await runOnce(context, command, { leaveRunning, deadline, before: result });
  }
  if (holdsMs === undefined || leaveRunning) return result;
  const end = Date.now() + holdsMs;
  while (Date.now() < end) {
    await sleep(Math.min(500, Math.max(1, end - Date.now())), undefined, { signal });
    const again = { ...context, samples: result.samples };
    const next = await runOnce(again, command, { leaveRunning, deadline });
    if ("failure" in next) {
      const { line, message, diff } = next.failure;
      return { failure: new PageFailure(line, `it did not hold: ${message}`, { diff, command }) };
    }
    result = next;
  }
  return result;
}

interface Attempt {
  readonly leaveRunning: boolean;
  /** In milliseconds since the epoch. */
  readonly deadline: number;
  /** The failure of the attempt before, if this one repeats it. */
  readonly before?: EntryResult;
}

async function runOnce(
  context: EntryContext,
  command: string,
  { leaveRunning, deadline, before }: Attempt,
): Promise<EntryResult> {
  const { block, entry, terminal: t, samples, signal } = context;
  t.matched = 0;
  t.terminal.start(command);
  if (leaveRunning) {
    if (entry.expected.lines.length === 0) return { samples };
    return awaitLines(context, Math.min(deadline, outputDeadline(context)));
  }
  await until(
    t,
    deadline,
    signal,
    () => t.terminal.status() !== undefined || promptAt(block, t, -1) !== undefined,
  );
  const status = t.terminal.status();
  if (status === undefined && promptAt(block, t, -1) === undefined) {
    await stopForeground(t);
    // The deadline cut this repetition short, so the output of the attempt before says more.
    if (before) return before;
    const message = `\`${entry.text}\` did not end within its time (timeout=… gives it more)`;
    const diff = t.terminal
      .lines()
      .slice(-20)
      .map((text) => ({ kind: "+" as const, text }));
    return { failure: new PageFailure(entry.line, message, { command, diff }) };
  }
  const result = compare(context, withoutPrompt(block, t), status ?? 0, command);
  t.matched = t.terminal.lines().length - (status === undefined ? 1 : 0);
  return result;
}
