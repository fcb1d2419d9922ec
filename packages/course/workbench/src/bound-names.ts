import {
  type ConsoleBlock,
  type DiffLine,
  type Entry,
  learnerSamples,
  type Page,
  type Samples,
  type Seen,
} from "@operator-path/walkthrough";
import type { Advice } from "./action-state.ts";
import { type OtherObject, otherObjectIn, skippedRemoval } from "./other-object.ts";
import { entriesOf } from "./page-actions.ts";

/** The learner's names for those of the page, such as that of a Pod. */
export interface BoundNames {
  samples(): Samples;
  /** Returns the samples for a command that runs again: names of deleted objects may change. */
  rebindable(): Samples;
  /** Takes the names that the output of an entry has shown. */
  bind(samples: Samples, block: ConsoleBlock, entry: Entry): void;
  /** Returns the names of deleted objects in an entry. */
  goneIn(entry: Entry): GoneName[];
  /** Returns an object in output that differs, if it is only another one than the page means. */
  otherIn(seen: Seen, block: ConsoleBlock): ShownOther | undefined;
  /** Takes the names of the last output of an entry that differed only in them, because the learner accepts it. */
  accept(entry: Entry): void;
}

/** @see OtherObject */
export interface ShownOther extends OtherObject {
  /** Line of the page that showed the object of that name first, or the object that the page means. */
  readonly since: number;
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
  const unaccepted = new Map<Entry, { readonly bound: Samples; readonly block: ConsoleBlock }>();
  const gone = (): string[] =>
    [...samples.fixed].filter((sample) => isGone(samples.values.get(sample) ?? ""));
  function bind(next: Samples, block: ConsoleBlock, entry: Entry): void {
    for (const [sample, value] of next.values)
      if (samples.values.get(sample) !== value) shownBy.set(sample, { block, entry });
    samples = next;
    unaccepted.delete(entry);
  }
  return {
    samples: () => samples,
    rebindable() {
      const changeable = new Set(gone());
      // The values stay: commands are typed with them.
      return { ...samples, fixed: new Set([...samples.fixed].filter((one) => !changeable.has(one))) };
    },
    bind,
    otherIn(seen, block) {
      const found = otherObjectIn(seen, samples);
      if (!found) return undefined;
      unaccepted.set(seen.entry, { bound: found.bound, block });
      const { usedFor, meant } = found.other;
      const known = usedFor ?? [...samples.fixed].find((one) => samples.values.get(one) === meant) ?? "";
      return { ...found.other, since: shownBy.get(known)?.entry.line ?? 0 };
    },
    accept(entry) {
      const found = unaccepted.get(entry);
      if (found) bind(found.bound, found.block, entry);
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
  readonly other: ShownOther | undefined;
  /** Reports whether an action is done, by its key. */
  isDone(key: string): boolean;
}

/** Returns what to do about a difference, if it comes from an object that no longer exists, or from another one. */
export function adviceFor(options: AdviceOptions): Advice | undefined {
  const { page, block, entry, diff, gone, other } = options;
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
  if (name)
    return { text: `${name.value} no longer exists. Run this again, because the name may have changed.` };
  return other && adviceForOther(other, options);
}

function adviceForOther(
  { seen, usedFor, meant, since }: ShownOther,
  { page, block, entry, isDone }: AdviceOptions,
): Advice {
  const what =
    usedFor === undefined
      ? `The page means ${meant}, which still exists, but this shows ${seen}.`
      : `This is still ${seen}, but the page has another object here.`;
  const skipped = skippedRemoval(page, { after: since, before: entry.line }, isDone);
  if (!skipped)
    return { text: `${what} If you created or kept one yourself, delete it, and run this again.` };
  const { place, step } = placeOf(page, skipped.block, block);
  const command = skipped.entry.text.split("\n")[0];
  return {
    text: `${what} Did you skip \`${command}\`${place || " above"}? Run it, then run this again.`,
    ...step,
  };
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
  return entriesOf(page).findLast(
    ({ block: { options }, entry: { line, text } }) =>
      options.terminal === block.options.terminal && line < entry.line && text.startsWith(`${variable}=`),
  );
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
