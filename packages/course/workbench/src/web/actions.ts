import { getJson, postJson } from "@operator-path/ui/web";
import type { ActionState } from "../action-state.ts";
import type { ExerciseAction, Outcome } from "../course.ts";
import type { CheckResult, ExerciseResult, FaultView, FileView, SavedFile, Written } from "../protocol.ts";
import { type EditorTab, withTab } from "./open-tabs.ts";
import type { Store } from "./store.ts";
import { strings } from "./strings.ts";

/** A block of the page, as the server knows it. */
export interface BlockName {
  readonly id: string;
  readonly hash: string;
}

/** Shows a terminal. With `focus`, the learner types in it next. */
export function showTerminal(store: Store, terminal: string, focus = false): void {
  const unread = new Set(store.state().unread);
  unread.delete(terminal);
  store.set({ tab: `terminal:${terminal}`, unread, typing: focus ? terminal : undefined });
}

/** @param line where to look in the file, from 1. Default: where the cursor is */
export function showTab(store: Store, tab: EditorTab, line?: number): void {
  const { tabs, unsaved } = store.state();
  const reveal = line === undefined ? undefined : { path: tab.path, line };
  const next = withTab(tabs, tab, (path) => unsaved.has(path));
  store.set({ tab: "editor", tabs: next, openTab: tab, pane: "work", reveal });
}

export function runEntry({ id, hash }: BlockName, entry: number): Promise<ActionState> {
  return postJson("/api/run", { id, hash, entry });
}

/** Counts a command whose output differs as done. */
export function acceptEntry({ id, hash }: BlockName, entry: number): Promise<ActionState> {
  return postJson("/api/accept", { id, hash, entry });
}

export function applyBlock({ id, hash }: BlockName): Promise<Written> {
  return postJson("/api/apply", { id, hash });
}

/** A check saves the editor's files first, because it reads them from disk. */
export async function doExercise(
  store: Store,
  { id, hash }: BlockName,
  action: ExerciseAction,
): Promise<ExerciseResult> {
  store.set({ doing: "" });
  const saved = action === "check" ? await saveAll(store) : [];
  const outcome = await postJson<ExerciseResult>("/api/exercise", { id, hash, action });
  return withSaved(saved, outcome);
}

/** Saves the editor's files, and checks the learner's work on the page. */
export async function checkWork(store: Store): Promise<CheckResult> {
  store.set({ doing: "" });
  const saved = await saveAll(store);
  return withSaved(saved, await postJson<CheckResult>("/api/check", {}));
}

export function readFile(path: string): Promise<FileView> {
  return getJson<FileView>(`/api/file?path=${encodeURIComponent(path)}`);
}

/** Saves each text of the editor that is not saved. Returns the paths. */
async function saveAll(store: Store): Promise<string[]> {
  const paths = [...store.state().unsaved.keys()];
  for (const path of paths) {
    await store.drafts.hold(path);
    // This window's own text is the newest.
    const draft = store.drafts.find(path) ?? (await readFile(path)).draft;
    if (!draft) continue;
    try {
      await postJson<SavedFile>("/api/file", { path, text: draft.text, base: draft.version });
    } catch (error) {
      throw new Error(strings.notChecked(path, error instanceof Error ? error.message : String(error)));
    }
    if ((store.drafts.find(path)?.text ?? draft.text) === draft.text) store.drafts.forget(path);
  }
  return paths;
}

function withSaved<T extends Outcome>(paths: readonly string[], outcome: T): T {
  const saved = paths.length === 0 ? [] : [strings.savedFirst(paths)];
  return { ...outcome, text: [...saved, outcome.text].filter(Boolean).join("\n") };
}

export function catchUp(step: string): Promise<Outcome> {
  return postJson("/api/catch-up", { step });
}

export function finishStep(step: string): Promise<unknown> {
  return postJson("/api/finish", { step });
}

export function readFaults(): Promise<FaultView[]> {
  return getJson("/api/faults");
}

export function causeFault(name: string, choice: string | undefined): Promise<Outcome> {
  return postJson("/api/fault", choice === undefined ? { name } : { name, choice });
}

export function endFault(_: undefined): Promise<unknown> {
  return postJson("/api/fault/end", {});
}

export function openInEditor(path: string, line: number): Promise<Outcome> {
  return postJson("/api/open-in-editor", { path, line });
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
