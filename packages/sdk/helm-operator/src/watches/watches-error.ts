/** A mistake in a watches.yaml. */
export interface WatchesProblem {
  /** Counted from 1. */
  readonly line: number;
  /** Indexes of the entries, counted from 0; empty for the file as a whole. */
  readonly entries: readonly number[];
  /** What is wrong, and what to do. */
  readonly message: string;
}

/** An invalid watches.yaml. The message has a line for each mistake. */
export class WatchesError extends Error {
  override readonly name = "WatchesError";
  readonly problems: readonly WatchesProblem[];

  /** @param path of the file, as given */
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
