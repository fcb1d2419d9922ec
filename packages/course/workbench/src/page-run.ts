import { quote } from "@operator-path/tools";
import {
  type Block,
  type ConsoleBlock,
  defaultLimits,
  type Entry,
  type Page,
  PageFailure,
  type PageTerminal,
  pathBelow,
  runEntry,
  withoutOwnNames,
} from "@operator-path/walkthrough";
import type { ActionState } from "./action-state.ts";
import { adviceFor, createBoundNames } from "./bound-names.ts";
import { type LearnerTerminal, learnersCommand } from "./learner-terminal.ts";
import { findBlock, idsOf } from "./page/view-page.ts";
import type { Terminals } from "./terminals.ts";

/** An action of the page, as the browser names it. Its text is the server's. */
export interface ActionName {
  /** Id of the block. */
  readonly id: string;
  readonly hash: string;
  /** Index of the entry in a console block. 0 for a file. */
  readonly entry: number;
}

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
  /** Counts a command whose output differs as done. Throws ActionError if the page has no such command. */
  accept(name: ActionName): ActionState;
  /** Sets the state of an action that is not a command. */
  set(key: string, state: ActionState): void;
}

/** @param until what to wait for. A program that the page leaves running never ends, but shows something */
function stillRuns(command: string, terminal: string, until = "until it has ended"): ActionError {
  const shown = command === learnersCommand ? command : `\`${command}\``;
  return new ActionError(`${shown} still runs in terminal ${terminal}: wait ${until}, or press Ctrl+C there`);
}

/** Returns the key of an action's state. */
export function keyOf({ id, entry }: Pick<ActionName, "id" | "entry">): string {
  return `${id}#${entry}`;
}

/**
 * Returns the keys of the actions of a step. A quotation is only read.
 *
 * @param isWanted chooses blocks. Default: all
 */
export function actionsOf(
  page: Page,
  step: Page["steps"][number],
  isWanted: (block: Block) => boolean = () => true,
): string[] {
  return idsOf(page, step)
    .filter(({ block }) => isWanted(block))
    .flatMap(({ id, block }) => entriesOf(block).map((entry) => keyOf({ id, entry })));
}

function entriesOf(block: Block): number[] {
  if (block.kind === "quotation" || block.kind === "tree") return [];
  return block.kind === "console" ? [...block.entries.keys()] : [0];
}

export function createPageRun(options: PageRunOptions): PageRun {
  const { page, terminals, signal } = options;
  const states = new Map<string, ActionState>([...options.done].map((key) => [key, { status: "done" }]));
  const pageTerminals = new Map<string, LearnersPageTerminal>();
  const busy = new Map<string, RunningEntry>();
  const names = createBoundNames(options.isGone);
  /** Terminals whose last command had run before. */
  const again = new Set<string>();
  const set = (key: string, state: ActionState): void => {
    states.set(key, state);
    options.onChange(key, state);
  };

  function find(name: ActionName): { block: ConsoleBlock; entry: Entry } {
    const block = findBlock(page, name.id, name.hash);
    const entry = block?.kind === "console" ? block.entries[name.entry] : undefined;
    if (block?.kind !== "console" || entry === undefined)
      throw new ActionError("this command is not on the page: reload it");
    return { block, entry };
  }

  async function run(name: ActionName): Promise<ActionState> {
    const { block, entry } = find(name);
    const terminalName = block.options.terminal || "main";
    for (let other = busy.get(terminalName); other; other = busy.get(terminalName)) {
      const isKey = entry.kind === "interrupt" || entry.kind === "end-of-input";
      if (!isKey && other.entry.kind !== "output")
        throw stillRuns(other.entry.text, terminalName, "for its ✓");
      other.stop.abort();
      await other.ended;
    }
    const running = terminals.find(terminalName)?.running();
    if (entry.kind === "command" && running !== undefined) throw stillRuns(running, terminalName);
    const key = keyOf(name);
    const before = states.get(key);
    const stop = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    busy.set(terminalName, { entry, stop, ended });
    if (entry.kind === "command") {
      if (before) again.add(terminalName);
      else again.delete(terminalName);
    }
    const isAgain = before !== undefined || again.has(terminalName);
    set(key, { status: "running" });
    let state: ActionState;
    try {
      state = await attempt(name, { block, entry, isAgain, signal: AbortSignal.any([signal, stop.signal]) });
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      state = stop.signal.aborted ? (before ?? { status: "to do" }) : { status: "differs", message };
    }
    if (before?.status === "done" && state.status === "differs") state = { ...state, status: "done" };
    busy.delete(terminalName);
    end();
    set(key, state);
    return state;
  }

  async function attempt(name: ActionName, { block, entry, isAgain, signal }: Attempt): Promise<ActionState> {
    const terminalName = block.options.terminal || "main";
    const t = await terminalOf(terminalName);
    if (entry.kind === "command") await enterFolder(block, t);
    const lastCommand = block.entries.findLastIndex(({ kind }) => kind === "command");
    const limits = { ...defaultLimits("embedded"), repeat: 15_000, pause: 1500, longestPause: 6000 };
    const context = {
      ...{ block, entry, terminal: t, limits, signal },
      samples: isAgain ? names.rebindable() : names.samples(),
      lookout: {
        begins: (failure: PageFailure) => set(keyOf(name), { status: "running", message: waitsFor(failure) }),
        run: t.terminal.runUnseen,
      },
      // The learner may have ended the program by hand: a ^C has nothing left to do.
      ...{ cleaningUp: true, accepts: false },
    };
    const result = await runEntry(context, block.options.running && name.entry === lastCommand);
    if (!("failure" in result)) {
      names.bind(result.samples, block, entry);
      return { status: "done" };
    }
    return differs(result.failure, block, entry);
  }

  async function differs(
    { message, diff }: PageFailure,
    block: ConsoleBlock,
    entry: Entry,
  ): Promise<ActionState> {
    const advice = adviceFor({ page, block, entry, diff, gone: names.goneIn(entry) });
    const seen = diff.flatMap(({ kind, text }) => (kind === "-" ? [] : text));
    const explanation = await options.explain(entry.line, [entry.text, ...seen].join("\n"));
    const more = { ...(advice !== undefined && { advice }), ...explanation };
    return { status: "differs", message, diff, ...more };
  }

  /** A terminal that was closed is opened again, and has printed nothing yet. */
  async function terminalOf(name: string): Promise<LearnersPageTerminal> {
    const terminal = terminals.open(name);
    const known = pageTerminals.get(name);
    if (known?.terminal === terminal) return known;
    const fresh: LearnersPageTerminal = { terminal, matched: 0, command: "" };
    pageTerminals.set(name, fresh);
    return fresh;
  }

  async function enterFolder({ options: { cwd } }: ConsoleBlock, { terminal }: PageTerminal): Promise<void> {
    if (cwd === undefined || terminal.running() !== undefined) return;
    const folder = pathBelow(options.learner, cwd);
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
    isDone: (key) => states.get(key)?.status === "done",
    run,
    accept(name) {
      find(name);
      const key = keyOf(name);
      const state = states.get(key);
      if (state?.status === "differs") set(key, { status: "done" });
      return states.get(key) ?? { status: "to do" };
    },
    set,
  };
}

interface LearnersPageTerminal extends PageTerminal {
  readonly terminal: LearnerTerminal;
}

/** What the page does in a terminal now. */
interface RunningEntry {
  readonly entry: Entry;
  readonly stop: AbortController;
  readonly ended: Promise<void>;
}

/** Says what a command is repeated for. */
function waitsFor({ diff }: PageFailure): string {
  const line = diff.find(({ kind, text }) => kind === "-" && text.trim() !== "")?.text.trim();
  const what = line === undefined ? "the page's output" : `"${withoutOwnNames(line)}"`;
  return `Not there yet. Waiting for ${what}. The command is typed again when it shows that.`;
}

interface Attempt {
  readonly block: ConsoleBlock;
  readonly entry: Entry;
  /** Whether it has run before, or belongs to a command that has. */
  readonly isAgain: boolean;
  readonly signal: AbortSignal;
}
