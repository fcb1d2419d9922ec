import { postJson } from "@operator-path/ui/web";
import type { ActionState } from "../action-state.ts";
import type { ExerciseAction, Outcome } from "../course.ts";
import type { EditorTab, Store } from "./store.ts";

/** A block of the page, as the server knows it. */
export interface BlockName {
  readonly id: string;
  readonly hash: string;
}

/** Shows a terminal, and on a narrow screen its pane. */
export function showTerminal(store: Store, terminal: string): void {
  const unread = new Set(store.state().unread);
  unread.delete(terminal);
  store.set({ tab: `terminal:${terminal}`, unread });
}

export function showTab(store: Store, tab: EditorTab): void {
  const { tabs } = store.state();
  const known = tabs.find((one) => one.kind === tab.kind && one.path === tab.path);
  const next = known ? tabs.map((one) => (one === known ? tab : one)) : [...tabs, tab];
  store.set({ tab: "editor", tabs: next, openTab: tab, pane: "work" });
}

export function runEntry({ id, hash }: BlockName, entry: number): Promise<ActionState> {
  return postJson("/api/run", { id, hash, entry });
}

export function applyBlock({ id, hash }: BlockName): Promise<Outcome> {
  return postJson("/api/apply", { id, hash });
}

export function doExercise({ id, hash }: BlockName, action: ExerciseAction): Promise<Outcome> {
  return postJson("/api/exercise", { id, hash, action });
}

export function checkWork(step: string | undefined): Promise<Outcome> {
  return postJson("/api/check", step === undefined ? {} : { step });
}

export function catchUp(step: string): Promise<Outcome> {
  return postJson("/api/catch-up", { step });
}

export function finishStep(step: string): Promise<unknown> {
  return postJson("/api/finish", { step });
}

export function causeFault(name: string): Promise<Outcome> {
  return postJson("/api/fault", { name });
}

export async function saveAnswer(store: Store, question: string, text: string): Promise<void> {
  await postJson("/api/answer", { question, text });
  const { view } = store.state();
  store.set({ view: { ...view, answers: { ...view.answers, [question]: text } } });
}

export async function openPage(name: string): Promise<void> {
  await postJson("/api/page", { name });
  // Terminals, files and the cluster are those of another page now.
  location.hash = "";
  location.reload();
}
