import type { TestOutcome } from "./course.ts";

/** How far the learner is with one action of the page. */
export interface ActionState {
  readonly status: "to do" | "running" | "done" | "differs";
  /** What differs, in a sentence. If `done`: this time. If `running`: what the page waits for. */
  readonly message?: string;
  /** The results of an exercise's tests. */
  readonly tests?: readonly TestOutcome[];
  /** What to do about it. */
  readonly advice?: Advice;
  /** The page's lines (`-`), the seen ones (`+`), and equal ones. */
  readonly diff?: readonly { readonly kind: "+" | "-" | " "; readonly text: string }[];
  /** Files and objects that the page makes above this command, and the learner does not have. In sentences. */
  readonly missing?: readonly string[];
  /** Of an exercise that has begun: the line of its file where the learner writes, from 1. */
  readonly line?: number;
  /** What the cluster says about it: Pods that are not ready, Events. */
  readonly explanation?: readonly { readonly title: string; readonly lines: readonly string[] }[];
}

export interface Advice {
  readonly text: string;
  /** The step that the text names, in quotes: another one than that of the action. */
  readonly step?: { readonly slug: string; readonly title: string };
}
