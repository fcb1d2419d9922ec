import { setTimeout as sleep } from "node:timers/promises";
import { type MatchOptions, matchOutput } from "../expect/match.ts";
import { NotRevisableError } from "../expect/revise.ts";
import { type Samples, substituteSamples } from "../expect/samples.ts";
import type { ConsoleBlock, Entry } from "../page/page.ts";
import { isReadOnly, isWatch } from "../terminal/read-only.ts";
import type { Terminal } from "../terminal/terminal.ts";
import type { Acceptance } from "./acceptance.ts";
import { compare, difference, withoutBlankEnd } from "./compare.ts";
import { PageFailure } from "./failure.ts";

/** A terminal of the page, and how far its output has been matched. */
export interface PageTerminal {
  readonly terminal: Terminal;
  /** Lines of the foreground command's output that the page has already accounted for. */
  matched: number;
  /** The foreground command, as the page says it. */
  command: string;
}

/** What a console block needs of the run. */
export interface ConsoleContext {
  samples: Samples;
  terminal(block: ConsoleBlock): Promise<PageTerminal>;
  doing(what: string, line: number): void;
  readonly cleaningUp: boolean;
  readonly limits: Limits;
  readonly signal: AbortSignal;
  /** Where output that differs is accepted. */
  readonly acceptance?: Acceptance | undefined;
}

/** How long things may take, in milliseconds. A block's `timeout=` stands above all of them. */
export interface Limits {
  /** How long a command that only reads is repeated. */
  readonly repeat: number;
  readonly command: number;
  /** How long a running process may take to print what is expected, and a prompt to appear. */
  readonly output: number;
  /** From ^C to the end of the process. */
  readonly interrupt: number;
  /** How long controllers may take to remove what Clean up has deleted. */
  readonly removal: number;
}

export const defaultLimits: Limits = {
  repeat: 30_000,
  command: 120_000,
  output: 30_000,
  interrupt: 10_000,
  removal: 30_000,
};

/** Runs one console block. Throws PageFailure; in Clean up, which goes on after one, AggregateError of several. */
export async function runConsoleBlock(block: ConsoleBlock, context: ConsoleContext): Promise<void> {
  const terminal = await context.terminal(block);
  const lastCommand = block.entries.findLastIndex((entry) => entry.kind === "command");
  const failures: unknown[] = [];
  for (const [i, entry] of block.entries.entries()) {
    try {
      context.signal.throwIfAborted();
      const leaveRunning = block.options.running && i === lastCommand;
      await runEntry(block, entry, terminal, context, leaveRunning).catch(accepting(terminal, context));
    } catch (error) {
      // Clean up goes on: what it would still remove is there whether or not this worked.
      if (!context.cleaningUp) throw error;
      failures.push(error);
      if (!(error instanceof PageFailure)) break;
    }
  }
  if (failures.length > 1) throw new AggregateError(failures);
  if (failures.length === 1) throw failures[0];
}

/** What was seen is accepted, where that is asked for; any other failure goes on as it is. */
function accepting(t: PageTerminal, context: ConsoleContext): (error: unknown) => void {
  return (error) => {
    if (!(error instanceof PageFailure) || !error.seen || !context.acceptance) throw error;
    try {
      const { samples, consumed } = context.acceptance.accept(error.seen);
      context.samples = samples;
      if (error.seen.options.open) t.matched += consumed;
    } catch (reason) {
      if (!(reason instanceof NotRevisableError)) throw reason;
      const { line, message, diff, command } = error;
      throw new PageFailure(line, `${message}; not accepted: ${reason.message}`, {
        diff,
        ...(command !== undefined && { command }),
      });
    }
  };
}

async function runEntry(
  block: ConsoleBlock,
  entry: Entry,
  terminal: PageTerminal,
  context: ConsoleContext,
  leaveRunning: boolean,
): Promise<void> {
  if (entry.kind === "command") {
    context.doing(entry.text, entry.line);
    await runCommand(block, entry, terminal, context, leaveRunning);
  } else if (entry.kind === "output") {
    await awaitOutput(block, entry, terminal, context);
  } else if (entry.kind === "typed") {
    context.doing(`${block.options.prompt ?? ""}${entry.text}`, entry.line);
    await typeLine(block, entry, terminal, context);
  } else {
    context.doing(entry.kind === "interrupt" ? "^C" : "^D", entry.line);
    await endForeground(block, entry, terminal, context);
  }
}

async function runCommand(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
  leaveRunning: boolean,
): Promise<void> {
  if (t.terminal.running() !== undefined) {
    throw new PageFailure(
      entry.line,
      `${name(t)} still runs \`${t.command}\`: interrupt it (^C) first, or use another terminal`,
    );
  }
  const repeats =
    !leaveRunning && block.options.prompt === undefined && (block.options.retry || isReadOnly(entry.text));
  const command = substituteSamples(entry.text, context.samples);
  const deadline =
    Date.now() + (block.options.timeoutMs ?? (repeats ? context.limits.repeat : context.limits.command));
  t.command = entry.text;

  let compared: PageFailure | undefined;
  const once = async (): Promise<PageFailure | undefined> => {
    t.matched = 0;
    t.terminal.start(command);
    if (leaveRunning) return awaitRunning(block, entry, t, context, deadline);
    await until(
      t,
      deadline,
      context,
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
    if (!repeats || Date.now() + wait > deadline) throw failure;
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

/** Lines that come by themselves in a terminal, after what was last matched there. */
async function awaitOutput(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
): Promise<void> {
  if (t.command === "") throw new PageFailure(entry.line, `nothing was started in ${name(t)} yet`);
  const failure = await awaitLines(block, entry, t, context, outputDeadline(block, context));
  if (failure) throw failure;
}

async function awaitLines(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
  deadline: number,
): Promise<PageFailure | undefined> {
  const expected = entry.expected.lines.map((line) => line.text);
  const options: MatchOptions = {
    samples: context.samples,
    unordered: block.options.unordered,
    orderedRows: isWatch(t.command),
    open: true,
  };
  const read = (): string[] => t.terminal.lines().slice(t.matched);
  let result = matchOutput(expected, read(), options);
  await until(t, deadline, context, () => {
    result = matchOutput(expected, read(), options);
    return result !== undefined || t.terminal.status() !== undefined;
  });
  result ??= matchOutput(expected, read(), options);
  if (result) {
    context.samples = result.samples;
    t.matched += result.consumed;
    return undefined;
  }
  const ended = t.terminal.status();
  const what =
    ended === undefined
      ? `${name(t)} did not print this in time`
      : `\`${t.command}\` ended (exit status ${ended}) before it printed this`;
  const acceptable = ended === undefined ? options : undefined;
  return difference(entry, withoutBlankEnd(read()), context, what, t.command, acceptable);
}

async function typeLine(
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
      context,
      () => promptAt(block, t, -1) !== undefined || t.terminal.status() !== undefined,
    );
    const at = promptAt(block, t, -1);
    if (at === undefined) {
      throw difference(
        entry,
        withoutBlankEnd(t.terminal.lines()).slice(-20),
        context,
        `the prompt "${prompt}" did not appear in ${name(t)}`,
        t.command,
      );
    }
    const text = substituteSamples(entry.text, context.samples);
    t.terminal.type(`${text}\n`);
    await until(
      t,
      deadline,
      context,
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
async function endForeground(
  block: ConsoleBlock,
  entry: Entry,
  t: PageTerminal,
  context: ConsoleContext,
): Promise<void> {
  if (t.terminal.running() === undefined) {
    if (context.cleaningUp) return;
    throw new PageFailure(
      entry.line,
      `nothing runs in ${name(t)} that ${entry.kind === "interrupt" ? "^C" : "^D"} could end`,
    );
  }
  const before = t.terminal.lines().length - 1;
  t.terminal.type(entry.kind === "interrupt" ? "\x03" : "\x04");
  const deadline = Date.now() + (block.options.timeoutMs ?? context.limits.interrupt);
  await until(t, deadline, context, () => t.terminal.status() !== undefined);
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

/** Index of the line that is the foreground process's prompt, when it is the last line and stands after `after`. */
function promptAt(block: ConsoleBlock, t: PageTerminal, after: number): number | undefined {
  const prompt = block.options.prompt?.trimEnd();
  if (prompt === undefined || t.terminal.status() !== undefined) return undefined;
  const lines = t.terminal.lines();
  const last = lines.length - 1;
  return last > after && lines[last]?.endsWith(prompt) ? last : undefined;
}

function withoutPrompt(block: ConsoleBlock, t: PageTerminal): string[] {
  const lines = t.terminal.lines();
  return promptAt(block, t, -1) === undefined ? lines : lines.slice(0, -1);
}

/** Waits for a condition of the terminal, or the deadline. */
async function until(
  t: PageTerminal,
  deadline: number,
  context: ConsoleContext,
  condition: () => boolean,
): Promise<void> {
  while (!condition()) {
    const left = deadline - Date.now();
    if (left <= 0) return;
    await t.terminal.changed(Math.min(left, 1000), context.signal);
    context.signal.throwIfAborted();
  }
}

async function stopForeground(t: PageTerminal): Promise<void> {
  t.terminal.type("\x03");
  const deadline = Date.now() + 2000;
  while (t.terminal.status() === undefined && Date.now() < deadline) await t.terminal.changed(200);
}

function outputDeadline(block: ConsoleBlock, context: ConsoleContext): number {
  return Date.now() + (block.options.timeoutMs ?? context.limits.output);
}

function name(t: PageTerminal): string {
  return t.terminal.name === "" ? "the terminal" : `terminal ${t.terminal.name}`;
}

/** An interrupted program says 130, make says 2, one that shuts down gracefully 0, and kubectl 1 when it watches. */
function interruptedStatuses(command: string): number[] {
  return /^kubectl\s/.test(command) && isWatch(command) ? [0, 1, 2, 130] : [0, 2, 130];
}
