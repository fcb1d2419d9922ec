import {
  type ConsoleBlock,
  type DiffLine,
  type Entry,
  learnerSamples,
  type Page,
  type Samples,
} from "@operator-path/walkthrough";
import type { Advice } from "./action-state.ts";

/** The learner's names for those of the page, such as that of a Pod. */
export interface BoundNames {
  samples(): Samples;
  /** Returns the samples for a command that runs again: names of deleted objects may change. */
  rebindable(): Samples;
  /** Takes the names that the output of an entry has shown. */
  bind(samples: Samples, block: ConsoleBlock, entry: Entry): void;
  /** Returns the names of deleted objects in an entry. */
  goneIn(entry: Entry): GoneName[];
}

interface ShownBy {
  readonly block: ConsoleBlock;
  readonly entry: Entry;
}

/** A name of an object that no longer exists. */
export interface GoneName {
  /** The page's name. */
  readonly sample: string;
  /** The learner's name. */
  readonly value: string;
  /** The command that showed it. Undefined: a running program did. */
  readonly shownBy: ShownBy | undefined;
  /** Whether the command itself has the name, and not only its output. */
  readonly isTyped: boolean;
}

/** @param isGone reports whether no object of the cluster has this name or UID */
export function createBoundNames(isGone: (name: string) => boolean): BoundNames {
  let samples = learnerSamples;
  const shownBy = new Map<string, ShownBy>();
  const gone = (): string[] =>
    [...samples.fixed].filter((sample) => isGone(samples.values.get(sample) ?? ""));
  return {
    samples: () => samples,
    rebindable() {
      const changeable = new Set(gone());
      // The values stay: commands are typed with them.
      return { ...samples, fixed: new Set([...samples.fixed].filter((one) => !changeable.has(one))) };
    },
    bind(next, block, entry) {
      for (const [sample, value] of next.values)
        if (samples.values.get(sample) !== value) shownBy.set(sample, { block, entry });
      samples = next;
    },
    goneIn(entry) {
      const shown = entry.expected.lines.map(({ text }) => text).join("\n");
      return gone()
        .filter((sample) => entry.text.includes(sample) || shown.includes(sample))
        .map((sample) => {
          const value = samples.values.get(sample) ?? "";
          const by = shownBy.get(sample);
          return {
            ...{ sample, value, isTyped: entry.text.includes(sample) },
            shownBy: by?.entry.kind === "command" ? by : undefined,
          };
        });
    },
  };
}

export interface AdviceOptions {
  readonly page: Page;
  readonly block: ConsoleBlock;
  readonly entry: Entry;
  readonly diff: readonly DiffLine[];
  readonly gone: readonly GoneName[];
}

/** Returns what to do about a difference, if it comes from an object that no longer exists. */
export function adviceFor({ page, block, entry, diff, gone }: AdviceOptions): Advice | undefined {
  const variable = outdatedVariable(entry, diff);
  const assignment = variable && findAssignment(page, block, entry, variable);
  if (assignment) {
    const { place, step } = placeOf(page, assignment.block, block);
    const text = `Set ${variable} again: run \`${assignment.entry.text}\`${place || " above"}. Then run this again.`;
    return { text, ...step };
  }
  const typed = gone.find(({ isTyped }) => isTyped);
  if (typed) {
    const { place, step } = typed.shownBy
      ? placeOf(page, typed.shownBy.block, block)
      : { place: "", step: {} };
    const first = typed.shownBy
      ? `Run \`${typed.shownBy.entry.text}\`${place} again, which shows the new name.`
      : "Run the command again that showed its name.";
    return { text: `${typed.value} no longer exists. ${first} Then run this again.`, ...step };
  }
  const [name] = gone;
  return name && { text: `${name.value} no longer exists. Run this again: then it may have another name.` };
}

/** Returns a shell variable of the command, if the server does not find what it names. */
function outdatedVariable({ text }: Entry, diff: readonly DiffLine[]): string | undefined {
  const isMissing = diff.some((line) => line.kind === "+" && /not ?found/i.test(line.text));
  return isMissing ? /\$\{?([A-Z][A-Z0-9_]*)/.exec(text)?.[1] : undefined;
}

/** Returns the last command before an entry that sets a variable in the same terminal, and its block. */
function findAssignment(
  page: Page,
  block: ConsoleBlock,
  entry: Entry,
  variable: string,
): ShownBy | undefined {
  return page.steps
    .flatMap(({ blocks }) => blocks)
    .filter((one): one is ConsoleBlock => one.kind === "console")
    .filter(({ options }) => options.terminal === block.options.terminal)
    .flatMap((one) => one.entries.map((other) => ({ block: one, entry: other })))
    .filter(({ entry: { line, text } }) => line < entry.line && text.startsWith(`${variable}=`))
    .at(-1);
}

/** Returns how to name the step of a block, if it is another one than that of `from`. */
function placeOf(
  page: Page,
  block: ConsoleBlock,
  from: ConsoleBlock,
): { readonly place: string; readonly step: Pick<Advice, "step"> } {
  const found = page.steps.find(({ blocks }) => blocks.includes(block));
  if (!found || found.blocks.includes(from)) return { place: "", step: {} };
  const { slug, title } = found;
  return { place: ` in the step "${title}"`, step: { step: { slug, title } } };
}
