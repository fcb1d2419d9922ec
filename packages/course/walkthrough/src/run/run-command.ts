import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { substituteSamples } from "../expect/samples.ts";
import { screenLines } from "../terminal/normalise.ts";
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

  let result = await runOnce(context, command, { leaveRunning, deadline });
  signal.throwIfAborted();
  if ("failure" in result && repeats) result = await repeat(context, command, result, deadline);
  if ("failure" in result || holdsMs === undefined || leaveRunning) return result;
  const end = Date.now() + holdsMs;
  while (Date.now() < end) {
    await sleep(Math.min(500, Math.max(1, end - Date.now())), undefined, { signal });
    const again: EntryContext = { ...context, samples: result.samples };
    const next: EntryResult =
      (await runUnseen(again, command, deadline)) ??
      (await runOnce(again, command, { leaveRunning, deadline }));
    if ("failure" in next) {
      const { line, message, diff } = next.failure;
      return { failure: new PageFailure(line, `it did not hold: ${message}`, { diff, command }) };
    }
    result = next;
  }
  return result;
}

type Failed = Extract<EntryResult, { readonly failure: PageFailure }>;

/**
 * Repeats a command until its output matches, or the deadline. With a lookout, the command is typed at most once more:
 * when its output matches, or to show the last one.
 */
async function repeat(
  context: EntryContext,
  command: string,
  first: Failed,
  deadline: number,
): Promise<EntryResult> {
  const { limits, lookout, signal } = context;
  const settled = createSettling(context);
  const type = (before: EntryResult) => runOnce(context, command, { leaveRunning: false, deadline, before });
  let result = first;
  lookout?.begins(first.failure);
  for (let wait = limits.pause; ; wait = Math.max(limits.pause, Math.min(wait * 1.5, limits.longestPause))) {
    signal.throwIfAborted();
    if (Date.now() + wait > deadline || settled(result.failure)) break;
    await sleep(wait, undefined, { signal });
    const unseen = await runUnseen(context, command, deadline);
    if (lookout && (unseen === undefined || !("failure" in unseen))) return type(result);
    const next = unseen ?? (await type(result));
    if (!("failure" in next)) return next;
    result = next;
  }
  const isNew = lookout && !isDeepStrictEqual(result.failure.diff, first.failure.diff);
  return isNew ? type(result) : result;
}

/** Undefined without a lookout, and for a command that may write. */
async function runUnseen(
  context: EntryContext,
  command: string,
  deadline: number,
): Promise<EntryResult | undefined> {
  const { entry, lookout, signal } = context;
  if (!isReadOnly(entry.text)) return undefined;
  const seen = await lookout?.run(command, { timeout: Math.max(1, deadline - Date.now()), signal });
  return seen && compare(context, screenLines(seen.output), seen.status, command);
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
