import {
  type ConsoleBlock,
  type DiffLine,
  type Entry,
  learnerSamples,
  type Page,
  type Samples,
} from "@operator-path/walkthrough";

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

/** A name of an object that no longer exists. */
export interface GoneName {
  /** The page's name. */
  readonly sample: string;
  /** The learner's name. */
  readonly value: string;
  /** The command that showed it. Undefined: a running program did. */
  readonly shownBy: { readonly block: ConsoleBlock; readonly entry: Entry } | undefined;
  /** Whether the command itself has the name, and not only its output. */
  readonly isTyped: boolean;
}

/** @param isGone reports whether no object of the cluster has this name or UID */
export function createBoundNames(isGone: (name: string) => boolean): BoundNames {
  let samples = learnerSamples;
  const shownBy = new Map<string, { readonly block: ConsoleBlock; readonly entry: Entry }>();
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
export function adviceFor({ page, block, entry, diff, gone }: AdviceOptions): string | undefined {
  const variable = outdatedVariable(entry, diff);
  const assignment = variable && findAssignment(page, block, entry, variable);
  if (assignment) return `Set ${variable} again: run \`${assignment.text}\` above. Then run this again.`;
  const typed = gone.find(({ isTyped }) => isTyped);
  if (typed) {
    const first = typed.shownBy
      ? `Run \`${typed.shownBy.entry.text}\`${placeOf(page, typed.shownBy.block, block)} again, which shows the new name.`
      : "Run the command again that showed its name.";
    return `${typed.value} no longer exists. ${first} Then run this again.`;
  }
  const [name] = gone;
  return name && `${name.value} no longer exists. Run this again: then it may have another name.`;
}

/** Returns a shell variable of the command, if the server does not find what it names. */
function outdatedVariable({ text }: Entry, diff: readonly DiffLine[]): string | undefined {
  const isMissing = diff.some((line) => line.kind === "+" && /not ?found/i.test(line.text));
  return isMissing ? /\$\{?([A-Z][A-Z0-9_]*)/.exec(text)?.[1] : undefined;
}

/** Returns the last command before an entry that sets a variable in the same terminal. */
function findAssignment(page: Page, block: ConsoleBlock, entry: Entry, variable: string): Entry | undefined {
  return page.steps
    .flatMap(({ blocks }) => blocks)
    .filter((one): one is ConsoleBlock => one.kind === "console")
    .filter(({ options }) => options.terminal === block.options.terminal)
    .flatMap(({ entries }) => entries)
    .filter(({ line, text }) => line < entry.line && text.startsWith(`${variable}=`))
    .at(-1);
}

function placeOf(page: Page, block: ConsoleBlock, from: ConsoleBlock): string {
  const step = page.steps.find(({ blocks }) => blocks.includes(block));
  return !step || step.blocks.includes(from) ? "" : ` in the step "${step.title}"`;
}
