import { quote } from "@operator-path/tools";
import {
  type Block,
  type ConsoleBlock,
  defaultLimits,
  noSamples,
  type Page,
  PageFailure,
  type PageTerminal,
  pathBelow,
  runEntry,
} from "@operator-path/walkthrough";
import type { ActionState } from "./action-state.ts";
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
  /** Describes the cluster after a difference. Never rejects. */
  explain(): Promise<ActionState["explanation"]>;
  /** Called after each change of a state. */
  onChange(key: string, state: ActionState): void;
}

/** Runs a page's commands in the learner's terminals, one at a time in each. */
export interface PageRun {
  /** By `keyOf`. An action without a state is to do. */
  states(): ReadonlyMap<string, ActionState>;
  /**
   * Types a command of the page, and compares its output. Resolves when the state is final.
   *
   * @throws ActionError if the page has no such command, or its terminal is busy with one of the page
   */
  run(name: ActionName): Promise<ActionState>;
  /** Sets the state of an action that is not a command. */
  set(key: string, state: ActionState): void;
}

/** Returns the key of an action's state. */
export function keyOf({ id, entry }: Pick<ActionName, "id" | "entry">): string {
  return `${id}#${entry}`;
}

/** Returns the keys of all actions of a step. A quotation is only read. */
export function actionsOf(page: Page, step: Page["steps"][number]): string[] {
  return idsOf(page, step).flatMap(({ id, block }) => entriesOf(block).map((entry) => keyOf({ id, entry })));
}

function entriesOf(block: Block): number[] {
  if (block.kind === "quotation" || block.kind === "tree") return [];
  return block.kind === "console" ? [...block.entries.keys()] : [0];
}

export function createPageRun(options: PageRunOptions): PageRun {
  const { page, terminals, signal } = options;
  const states = new Map<string, ActionState>([...options.done].map((key) => [key, { status: "done" }]));
  const pageTerminals = new Map<string, PageTerminal>();
  const busy = new Set<string>();
  let samples = noSamples;
  const set = (key: string, state: ActionState): void => {
    states.set(key, state);
    options.onChange(key, state);
  };

  async function run(name: ActionName): Promise<ActionState> {
    const block = findBlock(page, name.id, name.hash);
    const entry = block?.kind === "console" ? block.entries[name.entry] : undefined;
    if (block?.kind !== "console" || entry === undefined)
      throw new ActionError("this command is not on the page: reload it");
    const terminalName = block.options.terminal || "main";
    // ^C ends a command of the page that is still waiting for its output.
    if (busy.has(terminalName))
      throw new ActionError(`a command of the page still runs in terminal ${terminalName}`);
    busy.add(terminalName);
    const key = keyOf(name);
    set(key, { status: "running" });
    try {
      const result = await attempt(block, name.entry, terminalName);
      set(key, result);
      return result;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      const state: ActionState = { status: "differs", message };
      set(key, state);
      return state;
    } finally {
      busy.delete(terminalName);
    }
  }

  async function attempt(block: ConsoleBlock, index: number, terminalName: string): Promise<ActionState> {
    const entry = block.entries[index];
    if (!entry) throw new Error(`the block of line ${block.line} has no entry ${index}`);
    const t = await terminalOf(terminalName);
    if (entry.kind === "command") await enterFolder(block, t);
    const lastCommand = block.entries.findLastIndex(({ kind }) => kind === "command");
    const limits = { ...defaultLimits("embedded"), repeat: 15_000, pause: 1000 };
    const context = {
      ...{ block, entry, terminal: t, samples, limits, signal },
      ...{ cleaningUp: false, accepts: false },
    };
    const result = await runEntry(context, block.options.running && index === lastCommand);
    if (!("failure" in result)) {
      samples = result.samples;
      return { status: "done" };
    }
    return differs(result.failure);
  }

  async function differs({ message, diff }: PageFailure): Promise<ActionState> {
    const explanation = await options.explain();
    return { status: "differs", message, diff, ...(explanation && { explanation }) };
  }

  /** A terminal that was closed is opened again, and has printed nothing yet. */
  async function terminalOf(name: string): Promise<PageTerminal> {
    const terminal = terminals.open(name);
    const known = pageTerminals.get(name);
    if (known?.terminal === terminal) return known;
    const fresh: PageTerminal = { terminal, matched: 0, command: "" };
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

  return { states: () => states, run, set };
}
