/** A mistake in a watches.yaml. */
export interface WatchesProblem {
  /** Counted from 1. */
  readonly line: number;
  /** The entries that it is about, counted from 0; none for the file as a whole. */
  readonly entries: readonly number[];
  /** What is wrong, and the way out. */
  readonly message: string;
}

/** A watches.yaml that cannot be used. The message has a line for each mistake in it. */
export class WatchesError extends Error {
  override readonly name = "WatchesError";
  readonly problems: readonly WatchesProblem[];

  /** @param path of the file, as it was given */
  constructor(path: string, problems: readonly WatchesProblem[]) {
    const inOrder = problems.toSorted((a, b) => a.line - b.line);
    super(
      inOrder.map(({ line, entries, message }) => `${path}:${line}: ${place(entries)}${message}`).join("\n"),
    );
    this.problems = inOrder;
  }
}

function place(entries: readonly number[]): string {
  if (entries.length === 0) return "";
  const indexes = entries.map((index) => `[${index}]`).join(" and ");
  return `${entries.length === 1 ? "entry" : "entries"} ${indexes}: `;
}
