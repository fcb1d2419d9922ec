import {
  compare,
  type EntryResult,
  type Page,
  type Samples,
  substituteSamples,
  type Terminal,
} from "@operator-path/walkthrough";
import type { ShellCommand } from "./command-state.ts";
import { actionsOf, entriesOf, type PlacedEntry } from "./page-actions.ts";
import { isSameCommand } from "./same-command.ts";

/** Finds the entries of a page that a learner does without its buttons. */
export interface ByHand {
  /**
   * Returns the command of the page that the learner has typed. If the page has it several times: the next one that is
   * not done, first in the step that they look at, then in the steps that they have reached. Otherwise the last one
   * that is done.
   */
  commandOf(typed: TypedInTerminal, samples: Samples): PlacedEntry | undefined;
  /** Returns what the page does with a command's program, until its next command in that terminal. */
  following(command: PlacedEntry): PlacedEntry[];
  /** Reports whether the action before this one is done. */
  isReached(entry: PlacedEntry): boolean;
}

export interface TypedInTerminal {
  readonly terminal: string;
  readonly text: string;
  /** The step that the learner looks at. */
  readonly step: string | undefined;
  /** Key of the action that was done last. */
  readonly after: string | undefined;
}

/** @param isDone reports whether an action is done, by its key */
export function createByHand(page: Page, isDone: (key: string) => boolean): ByHand {
  const entries = entriesOf(page);
  const steps = page.steps.map((step) => actionsOf(page, step));
  const order = steps.flat();
  const stepOf = (key: string | undefined): number =>
    steps.findIndex((keys) => keys.some((one) => one === key));

  /** The index of the last step that the learner has reached: by what is done, or by what was done last. */
  function lastReached(after: string | undefined): number {
    const unfinished = steps.findIndex((keys) => !keys.every(isDone));
    const at = stepOf(after);
    const isOver = at !== -1 && steps[at]?.every(isDone);
    return Math.max(unfinished, isOver ? at + 1 : at);
  }

  return {
    commandOf({ terminal, text, step, after }, samples) {
      const same = entries.filter(
        (one) =>
          one.entry.kind === "command" &&
          one.terminal === terminal &&
          [one.entry.text, substituteSamples(one.entry.text, samples)].some((other) =>
            isSameCommand(other, text),
          ),
      );
      const shown = page.steps.findIndex(({ slug }) => slug === step);
      const last = Math.max(shown, lastReached(after));
      const toDo = same.filter(({ key }) => !isDone(key) && stepOf(key) <= last);
      const nextOf = (some: readonly PlacedEntry[]): PlacedEntry | undefined =>
        some.find(({ key }) => order.indexOf(key) > order.indexOf(after ?? "")) ?? some[0];
      const inShown = nextOf(toDo.filter(({ key }) => stepOf(key) === shown));
      return inShown ?? nextOf(toDo) ?? same.findLast(({ key }) => isDone(key));
    },
    following(command) {
      const inTerminal = entries.filter(({ terminal }) => terminal === command.terminal);
      const rest = inTerminal.slice(inTerminal.findIndex(({ key }) => key === command.key) + 1);
      const end = rest.findIndex(({ entry }) => entry.kind === "command");
      return end === -1 ? rest : rest.slice(0, end);
    },
    isReached({ key }) {
      const before = order[order.indexOf(key) - 1];
      return before === undefined || isDone(before);
    },
  };
}

/** Returns a terminal in which `start` finds its command typed already. It types nothing itself. */
export function alreadyTyped(terminal: Terminal, command: ShellCommand): Terminal {
  let begun = false;
  return {
    ...terminal,
    start() {
      if (begun) throw new Error("a command that the learner typed is not typed again");
      begun = true;
    },
    type() {},
    running: () => (begun && command.status() === undefined ? command.text : undefined),
    lines: command.lines,
    status: command.status,
  };
}

/**
 * Compares the answer to a line that the learner typed at the prompt of a program. Undefined: the program has not
 * ended, or never got this line.
 */
export function answerTo(
  { block, entry }: PlacedEntry,
  command: ShellCommand,
  samples: Samples,
): EntryResult | undefined {
  const prompt = block.options.prompt?.trimEnd();
  if (prompt === undefined || command.status() === undefined) return undefined;
  const lines = command.lines();
  const at = lines.findIndex(
    (line) =>
      line.startsWith(prompt) &&
      isSameCommand(line.slice(prompt.length), substituteSamples(entry.text, samples)),
  );
  if (at === -1) return undefined;
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.startsWith(prompt));
  const answer = end === -1 ? rest : rest.slice(0, end);
  return compare({ block, entry, samples }, answer, entry.expected.exitStatus ?? 0, entry.text);
}
