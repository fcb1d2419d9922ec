import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { quote } from "@operator-path/tools";
import {
  type ConsoleBlock,
  defaultLimits,
  type EntryContext,
  type EntryResult,
  type Page,
  PageFailure,
  type PageTerminal,
  pathBelow,
  runEntry,
  withoutOwnNames,
} from "@operator-path/walkthrough";
import type { ActionState } from "./action-state.ts";
import { adviceFor, createBoundNames } from "./bound-names.ts";
import { alreadyTyped, answerTo, createByHand } from "./by-hand.ts";
import { learnersCommand, type ShellCommand } from "./command-state.ts";
import { emptyVariable, nothingPrinted } from "./empty-variable.ts";
import type { LearnerTerminal } from "./learner-terminal.ts";
import { findBlock } from "./page/view-page.ts";
import { type ActionName, entriesOf, type PlacedEntry, placeEntry } from "./page-actions.ts";
import { isSameCommand } from "./same-command.ts";
import type { Terminals } from "./terminals.ts";

/** An action that cannot begin. The message is for the learner. */
export class ActionError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ActionError";
  }
}

export interface PageRunOptions {
  readonly page: Page;
  readonly terminals: Terminals;
  /** The learner's folder. Paths of `cwd=` start here. */
  readonly learner: string;
  /** Actions that are done already, by `keyOf`. */
  readonly done: Iterable<string>;
  readonly signal: AbortSignal;
  /** Reports whether no object of the cluster has this name or UID. */
  isGone(name: string): boolean;
  /**
   * Describes the cluster after a difference, and what the learner has left out above. Never rejects.
   *
   * @param line of the command, on the page
   * @param text the command and its output
   */
  explain(line: number, text: string): Promise<Pick<ActionState, "missing" | "explanation">>;
  /** Called after each change of a state. */
  onChange(key: string, state: ActionState): void;
}

/** Runs a page's commands in the learner's terminals, one at a time in each. */
export interface PageRun {
  /** By `keyOf`. An action without a state is to do. */
  states(): ReadonlyMap<string, ActionState>;
  /** Reports whether an action has passed. @param key that of `keyOf` */
  isDone(key: string): boolean;
  /**
   * Types a command of the page, and compares its output. Resolves when the state is final. A command that has
   * passed stays done: its state then says what differs this time. A key of the page, such as Ctrl+C, ends what the
   * page still does in the terminal, and so does any command if the page only waits for output there.
   *
   * @throws ActionError if the page has no such command, or another command still runs in its terminal. No state
   * changes then
   */
  run(name: ActionName): Promise<ActionState>;
  /**
   * Counts a command that the learner has typed in a terminal, if it is the page's, and compares its output. Types
   * nothing. A command of their own changes no state.
   *
   * @param step the step that they look at. Undefined: not known
   */
  typed(terminal: string, command: ShellCommand, step: string | undefined): void;
  /** Counts a command whose output differs as done. Throws ActionError if the page has no such command. */
  accept(name: ActionName): ActionState;
  /** Sets the state of an action that is not a command. */
  set(key: string, state: ActionState): void;
}

/** @param advice what to do. A program that the page leaves running never ends, but shows something */
function stillRuns(command: string, terminal: string, advice: string): ActionError {
  const shown = command === learnersCommand ? command : `\`${command}\``;
  return new ActionError(`${shown} still runs in terminal ${terminal}: ${advice}`);
}

export function createPageRun(options: PageRunOptions): PageRun {
  const { page, terminals, signal } = options;
  const states = new Map<string, ActionState>([...options.done].map((key) => [key, { status: "done" }]));
  const pageTerminals = new Map<string, LearnersPageTerminal>();
  const busy = new Map<string, RunningEntry>();
  const names = createBoundNames(options.isGone);
  /** Terminals whose last command had run before. */
  const again = new Set<string>();
  let lastDone: string | undefined;
  /** Aborts when a state changes. */
  let unchanged = new AbortController();
  const isDone = (key: string): boolean => states.get(key)?.status === "done";
  const set = (key: string, state: ActionState): void => {
    if (state.status === "done" && !isDone(key)) lastDone = key;
    states.set(key, state);
    options.onChange(key, state);
    unchanged.abort();
    unchanged = new AbortController();
  };
  const byHand = createByHand(page, isDone);
  /** What the learner has typed is compared in its order. */
  const typing = new Map<string, Promise<void>>();

  function find(name: ActionName): PlacedEntry {
    const block = findBlock(page, name.id, name.hash);
    const found = block?.kind === "console" ? placeEntry(name.id, block, name.entry) : undefined;
    if (!found) throw new ActionError("this command is not on the page: reload it");
    return found;
  }

  /** Whether a command of the page opens a shell or the like, which Ctrl+C does not end. */
  function hasPrompt(command: string): boolean {
    return entriesOf(page).some(
      ({ block, entry }) => block.options.prompt !== undefined && isSameCommand(entry.text, command),
    );
  }

  async function run(name: ActionName): Promise<ActionState> {
    const placed = find(name);
    const { key, entry, terminal } = placed;
    for (let other = busy.get(terminal); other; other = busy.get(terminal)) {
      const isKey = entry.kind === "interrupt" || entry.kind === "end-of-input";
      if (!isKey && other.entry.kind !== "output")
        throw stillRuns(other.entry.text, terminal, "wait for its ✓, or press Ctrl+C there");
      other.stop.abort();
      await other.ended;
    }
    const running = terminals.find(terminal)?.running();
    if (entry.kind === "command" && running !== undefined)
      throw stillRuns(
        running,
        terminal,
        hasPrompt(running)
          ? "press Ctrl+D at its prompt to leave it"
          : "wait until it has ended, or press Ctrl+C there",
      );
    // The page has noticed it, and the program will not print it again.
    if (isDone(key) && pageTerminals.get(terminal)?.noticed.has(key)) return { status: "done" };
    return begin(placed, undefined);
  }

  /** @param typed the command, if the learner has typed it */
  async function begin(placed: PlacedEntry, typed: ShellCommand | undefined): Promise<ActionState> {
    const { key, entry, terminal } = placed;
    const before = states.get(key);
    const stop = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    busy.set(terminal, { entry, stop, ended });
    if (entry.kind === "command") {
      if (before) again.add(terminal);
      else again.delete(terminal);
    }
    const isAgain = before !== undefined || again.has(terminal);
    set(key, { status: "running" });
    let state: ActionState;
    try {
      const attempted = { ...placed, isAgain, typed, signal: AbortSignal.any([signal, stop.signal]) };
      state = await attempt(attempted);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      state = stop.signal.aborted ? (before ?? { status: "to do" }) : { status: "differs", message };
    }
    if (typed && state.status === "differs" && (before?.status === "done" || typed.interrupted()))
      state = before ?? { status: "to do" };
    if (before?.status === "done" && state.status === "differs") state = { ...state, status: "done" };
    busy.delete(terminal);
    end();
    set(key, state);
    if (state.status === "done" && entry.kind === "command") void follow(placed).catch(() => {});
    return state;
  }

  async function attempt({ isAgain, typed, signal, ...placed }: Attempt): Promise<ActionState> {
    const { key, block, entry, isLeftRunning } = placed;
    const own = terminalOf(placed.terminal);
    if (entry.kind === "command") {
      own.noticed.clear();
      if (!typed) await enterFolder(block, own);
    }
    if (entry.kind === "output") takeLearnersProgram(own);
    const t: PageTerminal = typed ? { ...own, terminal: alreadyTyped(own.terminal, typed) } : own;
    const begins = (failure: PageFailure): void =>
      set(key, { status: "running", message: waitsFor(failure) });
    const context = contextOf(placed, t, signal);
    const result = await runEntry(
      {
        ...context,
        samples: isAgain ? names.rebindable() : names.samples(),
        // The learner repeats what they type themselves.
        limits: typed ? { ...context.limits, pause: Number.POSITIVE_INFINITY } : context.limits,
        lookout: { begins: typed ? () => {} : begins, run: own.terminal.runUnseen },
      },
      isLeftRunning,
    );
    Object.assign(own, { matched: t.matched, command: t.command, program: own.terminal.last() });
    if (!("failure" in result)) {
      const empty = await emptyVariable(entry, own.terminal, signal);
      if (empty !== undefined) return { status: "differs", message: nothingPrinted(empty) };
      names.bind(result.samples, block, entry);
      return { status: "done" };
    }
    return differs(result.failure, placed);
  }

  /** What a terminal prints is that of its last command, also of one that the page does not know. */
  function takeLearnersProgram(own: LearnersPageTerminal): void {
    const last = own.terminal.last();
    if (last === own.program || last.text === undefined) return;
    Object.assign(own, { matched: 0, command: last.text, program: last });
  }

  function contextOf(
    { block, entry }: PlacedEntry,
    terminal: PageTerminal,
    signal: AbortSignal,
  ): EntryContext {
    const limits = { ...defaultLimits("embedded"), repeat: 30_000, pause: 1500, longestPause: 6000 };
    const samples = names.samples();
    // The program may have ended, or the learner has ended it: a ^C has nothing left to do.
    const cleaningUp = hasRun(entry, terminal);
    return { block, entry, terminal, samples, limits, signal, cleaningUp, accepts: false };
  }

  /** Reports whether something has run in a terminal that a key of the page could have ended. */
  function hasRun({ line }: PlacedEntry["entry"], { terminal }: PageTerminal): boolean {
    const program = entriesOf(page).findLast(
      (one) =>
        one.entry.kind === "command" && one.entry.line < line && one.terminal === (terminal.name || "main"),
    );
    return (program && isDone(program.key)) || terminal.lines().some((one) => one.trim() !== "");
  }

  async function differs(
    { message, diff, seen: output }: PageFailure,
    { block, entry }: PlacedEntry,
  ): Promise<ActionState> {
    const other = output && names.otherIn(output, block);
    const advice = adviceFor({ page, block, entry, diff, gone: names.goneIn(entry), other, isDone });
    const seen = diff.flatMap(({ kind, text }) => (kind === "-" ? [] : text));
    const explanation = await options.explain(entry.line, [entry.text, ...seen].join("\n"));
    const more = { ...(advice !== undefined && { advice }), ...explanation };
    return { status: "differs", message, diff, ...more };
  }

  /** Counts a command that the learner has typed. */
  async function count(terminal: string, typed: ShellCommand, step: string | undefined): Promise<void> {
    const { text } = typed;
    if (text === undefined) return;
    // The program before has ended, but what it printed may not be compared yet.
    for (let other = busy.get(terminal); other; other = busy.get(terminal)) await other.ended;
    const found = byHand.commandOf({ terminal, text, step, after: lastDone }, names.samples());
    if (found) await begin(found, typed);
  }

  /** Notices what the page says of a program: its output, the answers to typed lines, and how the learner ends it. */
  async function follow(command: PlacedEntry): Promise<void> {
    const following = byHand.following(command);
    const t = terminalOf(command.terminal);
    const program = t.terminal.last();
    const isLast = (): boolean => t.terminal.last() === program && !signal.aborted;
    while (isLast() && following.some(({ key }) => !isDone(key))) {
      const { signal: stateChanges } = unchanged;
      const hasEnded = program.status() !== undefined;
      for (const one of following) {
        if (!isLast() || busy.has(command.terminal)) break;
        if (!isDone(one.key) && !(await notice(one, t, program)) && !hasEnded) break;
      }
      if (hasEnded) return;
      await t.terminal.changed(60_000, AbortSignal.any([signal, stateChanges]));
      // Lines come in pieces.
      await sleep(100, undefined, { signal });
    }
  }

  /** Returns whether an entry has happened, and is done now. */
  async function notice(
    placed: PlacedEntry,
    t: LearnersPageTerminal,
    program: ShellCommand,
  ): Promise<boolean> {
    const { key, block, entry } = placed;
    const hasEnded = program.status() !== undefined;
    let result: EntryResult | undefined;
    switch (entry.kind) {
      case "output": {
        if (!byHand.isReached(placed)) return false;
        const atOnce = { ...placed, block: { ...block, options: { ...block.options, timeoutMs: 0 } } };
        result = await runEntry(contextOf(atOnce, t, signal), false);
        break;
      }
      case "typed":
        result = answerTo(placed, program, names.samples());
        break;
      case "interrupt":
        if (hasEnded && program.interrupted()) result = { samples: names.samples() };
        break;
      case "end-of-input":
        if (hasEnded) result = { samples: names.samples() };
        break;
      case "command":
    }
    if (result === undefined || "failure" in result || isDone(key)) return false;
    names.bind(result.samples, block, entry);
    t.noticed.add(key);
    set(key, { status: "done" });
    return true;
  }

  /** A terminal that was closed is opened again, and has printed nothing yet. */
  function terminalOf(name: string): LearnersPageTerminal {
    const terminal = terminals.open(name);
    const known = pageTerminals.get(name);
    if (known?.terminal === terminal) return known;
    const fresh = { terminal, matched: 0, command: "", program: undefined, noticed: new Set<string>() };
    pageTerminals.set(name, fresh);
    return fresh;
  }

  async function enterFolder({ options: { cwd } }: ConsoleBlock, { terminal }: PageTerminal): Promise<void> {
    // A learner who typed `cd "$TUTORIAL/…"` is among the page's files, where its commands would do something else.
    const isAstray = `${terminal.cwd()}/`.startsWith(`${dirname(page.path)}/`);
    if ((cwd === undefined && !isAstray) || terminal.running() !== undefined) return;
    const folder = pathBelow(options.learner, cwd ?? ".");
    if (terminal.cwd() === folder) return;
    terminal.start(`cd ${quote(folder)}`);
    while (terminal.status() === undefined) {
      await terminal.changed(1000, signal);
      signal.throwIfAborted();
    }
    if (terminal.status() !== 0) throw new PageFailure(0, `${folder} cannot be entered`);
  }

  return {
    states: () => states,
    isDone,
    run,
    typed(terminal, command, step) {
      const before = typing.get(terminal) ?? Promise.resolve();
      const next = before.then(() => count(terminal, command, step)).catch(() => {});
      typing.set(terminal, next);
    },
    accept(name) {
      const { key, entry } = find(name);
      const state = states.get(key);
      if (state?.status === "differs") {
        names.accept(entry);
        set(key, { status: "done" });
      }
      return states.get(key) ?? { status: "to do" };
    },
    set,
  };
}

interface LearnersPageTerminal extends PageTerminal {
  readonly terminal: LearnerTerminal;
  /** What its lines are of. Undefined: nothing has run yet. */
  program: ShellCommand | undefined;
  /** Keys of what has happened in the last program without a button. */
  readonly noticed: Set<string>;
}

/** What the page does in a terminal now. */
interface RunningEntry {
  readonly entry: PlacedEntry["entry"];
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Says what a command is repeated for. */
function waitsFor({ diff }: PageFailure): string {
  const line = diff.find(({ kind, text }) => kind === "-" && text.trim() !== "")?.text.trim();
  const what = line === undefined ? "the page's output" : `"${withoutOwnNames(line)}"`;
  return `Not there yet. Waiting for ${what}. The command will be typed again when it shows that.`;
}

interface Attempt extends PlacedEntry {
  /** Whether it has run before, or belongs to a command that has. */
  readonly isAgain: boolean;
  readonly typed: ShellCommand | undefined;
  readonly signal: AbortSignal;
}
