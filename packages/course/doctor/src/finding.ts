/** What a newcomer may want to do; `--for` asks for one of the first three. */
export type Purpose = "embedded" | "kind" | "existing" | "images" | "project" | "envtest";

/** What `--for` may ask for: the cluster that the pages run on. */
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
 * ok: as it should be. missing: what `neededFor` names does not work. weak: it works, and may fail later or be slow.
 * note: worth knowing; nothing depends on it.
 */
export type State = "ok" | "missing" | "weak" | "note";

/** One thing that the doctor looked at. */
export interface Finding {
  /** `kubectl`, `disk`, `context prod`. */
  readonly subject: string;
  readonly state: State;
  /** What was found, in a few words. */
  readonly found: string;
  /** Where it was found: a path, for those who have room to read it. */
  readonly where?: string;
  /** What does not work without it. Empty: nothing. */
  readonly neededFor: readonly Purpose[];
  /** Sentences: what is wrong, and what follows from it. */
  readonly details?: readonly string[];
  readonly mend?: Mend;
}

/** What a person does about a finding. */
export interface Mend {
  /** Whose lines `commands` are, where it is not the shell that the doctor was started from. */
  readonly shell?: "PowerShell";
  /** Lines for a shell, to be copied as they are. */
  readonly commands: readonly string[];
  /** What no shell can do, or what to know before: a sentence each. */
  readonly words?: readonly string[];
  /** Where this is said by those who publish it. */
  readonly manual?: string;
}
