/** What a newcomer may want to do. `--for` takes one of the first three. */
export type Purpose = "embedded" | "kind" | "existing" | "images" | "project" | "envtest";

/** The values of `--for`: the cluster that the pages run on. */
export type Goal = Extract<Purpose, "embedded" | "kind" | "existing">;

export const goals: readonly Goal[] = ["embedded", "kind", "existing"];

/** Each purpose in words, for the line below the table. */
export const purposes: Readonly<Record<Purpose, string>> = {
  embedded: "the pages on the embedded cluster, without Docker",
  kind: "the pages on kind",
  existing: "the pages on a cluster of your own",
  images: "building images as a container engine does",
  project: "a project of your own, outside of this repository",
  envtest: "a real kube-apiserver, without nodes",
};

/**
 * - ok: as it should be.
 * - missing: the purposes of `neededFor` do not work.
 * - weak: it works, but may be slow or fail later.
 * - note: worth knowing, but no purpose depends on it.
 */
export type State = "ok" | "missing" | "weak" | "note";

/** The result for one subject. */
export interface Finding {
  /** `kubectl`, `disk`, `context prod`. */
  readonly subject: string;
  readonly state: State;
  /** The state, in a few words. */
  readonly found: string;
  /** A path, shown if the terminal is wide enough. */
  readonly where?: string;
  /** The purposes that do not work without it. */
  readonly neededFor: readonly Purpose[];
  /** Sentences: what is wrong, and its consequences. */
  readonly details?: readonly string[];
  readonly mend?: Mend;
}

/** How a person fixes a finding. */
export interface Mend {
  /** The shell of `commands`. Default: the shell that started the doctor. */
  readonly shell?: "PowerShell";
  /** Lines for a shell, to copy as they are. */
  readonly commands: readonly string[];
  /** Sentences: what no shell can do, or what to know first. */
  readonly words?: readonly string[];
  /** URL of the publisher's manual. */
  readonly manual?: string;
}
