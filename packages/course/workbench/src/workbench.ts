import { join } from "node:path";
import { type Client, createClient } from "@operator-path/client";
import {
  type ClusterModel,
  followReconciles,
  openClusterModel,
  writeReconcilePreload,
} from "@operator-path/ui";
import { diagnoseCluster, type Page } from "@operator-path/walkthrough";
import type { ActionState } from "./action-state.ts";
import type { Course, ExerciseAction, Outcome } from "./course.ts";
import { type Drafts, openDrafts } from "./drafts.ts";
import { createExercises } from "./exercises.ts";
import type { Fault } from "./faults/fault.ts";
import { createFaultRun } from "./faults/fault-run.ts";
import { FileError, type Files, openFiles } from "./files.ts";
import { type Language, openLanguage } from "./language/language.ts";
import type { LearnerShell } from "./learner-terminal.ts";
import type { Memory, PageMemory } from "./memory.ts";
import { readNotebook } from "./notebook.ts";
import { openInEditor } from "./open-in-editor.ts";
import { hashesOf, viewPage } from "./page/view-page.ts";
import { type ActionName, actionsOf } from "./page-actions.ts";
import { createPageFiles, inProject } from "./page-files.ts";
import { ActionError, createPageRun } from "./page-run.ts";
import type {
  CheckResult,
  Comparison,
  ExerciseResult,
  FaultView,
  NotebookPage,
  SavedFile,
  ServerMessage,
  StepStatus,
  WorkbenchView,
  Written,
} from "./protocol.ts";
import { repeatedly } from "./repeatedly.ts";
import { stepStatus } from "./step-status.ts";
import { createTerminals, type Terminals } from "./terminals.ts";

export interface WorkbenchOptions {
  readonly course: Course;
  readonly memory: Memory;
  /** Returns a folder's name for people. */
  shortPath(folder: string): string;
  readonly signal: AbortSignal;
  /** Name of a later page, whose objects were just put aside for this one. */
  readonly aside?: string;
}

/** One page of the course on the learner's machine: terminals, files, and how far the learner is. */
export interface Workbench extends AsyncDisposable {
  view(): Promise<WorkbenchView>;
  /** Calls back with each message for the browser. Returns a function that ends it. */
  subscribe(listener: (message: ServerMessage) => void): () => void;
  /**
   * Passes on what the learner types in a terminal.
   *
   * @param step the step that they look at
   */
  type(terminal: string, data: string, step: string | undefined): void;
  /** Types a command of the page. Resolves when its result is known. Throws ActionError. */
  run(name: ActionName): Promise<ActionState>;
  /** Counts a command whose output differs as done. Throws ActionError. */
  accept(name: ActionName): ActionState;
  /** Writes a file block of the page, or applies its edit. Throws ActionError if it does not fit. */
  apply(name: ActionName): Promise<Written>;
  compare(name: ActionName): Promise<Comparison>;
  exercise(name: ActionName, action: ExerciseAction): Promise<ExerciseResult>;
  check(step: string | undefined): Promise<CheckResult>;
  catchUp(step: string): Promise<Outcome>;
  /** Marks a step without actions as finished. */
  finish(step: string): Promise<void>;
  answer(question: string, text: string): Promise<void>;
  /** Returns the learner's answers on all pages. */
  notebook(): Promise<NotebookPage[]>;
  faults(): Promise<FaultView[]>;
  /** @param choice one of the fault's `choices` */
  cause(fault: Fault["name"], choice?: string): Promise<Outcome>;
  /** Ends a fault that lasts, or else puts its report away. */
  endFault(): Promise<void>;
  /** Opens a file of the learner in their own editor. Throws FileError, and ActionError if the file does not exist. */
  openInEditor(path: string, line: number): Promise<Outcome>;
  /**
   * Saves a text of the editor, whose draft ends with it. Throws FileError.
   *
   * @param base version that the learner has seen. Another version on disk is not replaced
   * @param replaces whether that version is not what the text began with. It is kept
   */
  saveFile(path: string, text: string, base: string, replaces: boolean): Promise<SavedFile>;
  /** Ends a draft. Keeps this text of it if it is not on disk, and returns where. Throws FileError. */
  dropDraft(path: string, text: string): Promise<string | undefined>;
  readonly terminals: Terminals;
  readonly files: Files;
  /** Unsaved texts of the files. */
  readonly drafts: Drafts;
  /** TypeScript, for the editor. */
  readonly language: Language;
  /** The page's cluster, as it is and as it was. */
  readonly model: ClusterModel;
  readonly client: Client;
}

/** Opens a page of the course. */
export async function openWorkbench(name: string, options: WorkbenchOptions): Promise<Workbench> {
  const { course, memory, signal } = options;
  const coursePage = await course.open(name);
  const { page, folder } = coursePage;
  const files = openFiles(folder);
  const drafts = openDrafts(coursePage.drafts);
  const language = openLanguage({ folder, files, env: coursePage.shell.env });
  const hashes = hashesOf(page);
  const remembered = await memory.read(name);
  let answers = remembered.answers;
  let finished = new Set(await coursePage.finished());
  let shownStep: string | undefined;
  const listeners = new Set<(message: ServerMessage) => void>();
  const tell = (message: ServerMessage): void => {
    for (const listener of listeners) listener(message);
  };
  const doing = (what: string): void => tell({ type: "doing", what });
  const done = Object.entries(remembered.done).flatMap(([key, hash]) =>
    hashes.get(blockIdOf(key)) === hash ? [key] : [],
  );
  const pageTerminals = terminalsOf(page);
  const names = (): string[] => [...new Set([...pageTerminals, ...terminals.names()])];
  const reconciles = join(coursePage.directory, "reconciles");
  const shell = withNodeOptions(coursePage.shell, await writeReconcilePreload(reconciles));
  const terminals = createTerminals({
    ...{ shell, directory: coursePage.directory },
    onData: (terminal, data, isPrinted) => tell({ type: "output", terminal, data, isPrinted }),
    onTyped: (terminal, command) => run.typed(terminal, command, shownStep),
    onChange: () => tell({ type: "terminals", terminals: names() }),
  });
  const client = createClient(coursePage.kubeConfig, {
    userAgent: "operator-path-workbench",
    onWarning: () => {},
  });
  const watches = new AbortController();
  const { kubeConfig } = coursePage;
  const model = await openClusterModel({
    client,
    cluster: { context: kubeConfig.currentContext, server: kubeConfig.getCurrentCluster()?.server ?? "" },
    signal: AbortSignal.any([signal, watches.signal]),
  });
  void followReconciles(model, reconciles, watches.signal)();
  // The server may be killed at any moment.
  const saveObjects = repeatedly(() => coursePage.saveObjects());
  const faultRun = createFaultRun({
    ...{ terminals, client, model, faults: coursePage.faults },
    signal: AbortSignal.any([signal, watches.signal]),
    onChange: (report) => tell({ type: "fault", report }),
  });
  const run = createPageRun({
    ...{ page, terminals, learner: folder, done, signal },
    isGone,
    explain,
    onChange(key, state) {
      tell({ type: "action", key, state });
      tell({ type: "steps", steps: statuses() });
      if (state.status !== "done") return;
      void saveProgress(key).catch(() => {});
      saveObjects.start();
    },
  });

  const pageFiles = createPageFiles({ page, files, run, keep: coursePage.keep });
  const exercises = createExercises({ page, files, run, coursePage, doing, blockOf: pageFiles.blockOf });
  const unwatch = await files.watch((changed) => {
    language.changed(changed);
    tell({ type: "files", changed, files: files.list() });
    void pageFiles.recognize(changed).catch(() => {});
  });
  await pageFiles.recognizeAll();

  async function explain(line: number, text: string): Promise<Pick<ActionState, "missing" | "explanation">> {
    const [missing, explanation] = await Promise.all([
      coursePage.missingAbove(line, text).catch(() => []),
      diagnoseCluster(client),
    ]);
    return { ...(missing.length > 0 && { missing }), ...(explanation && { explanation }) };
  }

  function isGone(name: string): boolean {
    if (!model.synced() || model.history.now.has(name)) return false;
    for (const view of model.history.now.values()) if (view.name === name) return false;
    return true;
  }

  function statuses(): Record<string, StepStatus> {
    const ofSteps = page.steps.map((step) => [
      step.slug,
      stepStatus(actionsOf(page, step), run.states(), finished.has(step.slug)),
    ]);
    const introduction = finished.has("introduction") ? "done" : "to do";
    return { introduction, ...Object.fromEntries(ofSteps) };
  }

  async function saveProgress(key: string): Promise<void> {
    await saveMemory();
    const step = page.steps.find((one) => actionsOf(page, one).includes(key));
    const isDone = step && actionsOf(page, step).every(run.isDone);
    if (isDone && !finished.has(step.slug)) await finish(step.slug);
  }

  async function finish(step: string): Promise<void> {
    if (step !== "introduction" && !page.steps.some(({ slug }) => slug === step))
      throw new ActionError(`there is no step ${step}`);
    finished.add(step);
    // progress.json lists the steps below headings.
    if (step !== "introduction") await coursePage.finish(step);
    tell({ type: "steps", steps: statuses() });
  }

  function saveMemory(): Promise<void> {
    const all = [...run.states()].flatMap(([key, { status }]) =>
      status === "done" ? [[key, hashes.get(blockIdOf(key)) ?? ""] as const] : [],
    );
    const next: PageMemory = { done: Object.fromEntries(all), answers };
    return memory.write(name, next);
  }

  /** Reads the finished steps again after a command of the course may have changed them. */
  async function afterCommand(outcome: Outcome): Promise<Outcome> {
    const before = finished;
    finished = new Set([...finished, ...(await coursePage.finished())]);
    for (const step of page.steps)
      if (finished.has(step.slug) && (outcome.ok || !before.has(step.slug)))
        for (const key of actionsOf(page, step)) if (!run.isDone(key)) run.set(key, { status: "done" });
    tell({ type: "steps", steps: statuses() });
    return outcome;
  }

  return {
    terminals,
    files,
    drafts,
    language,
    model,
    client,
    async view() {
      // A reload shows what is on disk, even if a change was missed.
      await pageFiles.recognizeAll();
      const [pages, unsaved] = await Promise.all([course.pages(), drafts.list()]);
      const steps = statuses();
      const begun = page.steps.find(({ slug }) => slug !== "introduction" && steps[slug] !== "done");
      const isNew = run.states().size === 0 && finished.size === 0;
      return {
        pages,
        page: viewPage(page, { name, pageOf: coursePage.pageOf }),
        folder: options.shortPath(folder),
        actions: Object.fromEntries(run.states()),
        ...{ steps, answers, terminals: names(), files: files.list() },
        drafts: unsaved,
        place: isNew ? "introduction" : (begun?.slug ?? page.steps.at(-1)?.slug ?? "introduction"),
        fault: faultRun.report(),
        aside: options.aside,
      };
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    type(terminal, data, step) {
      shownStep = step;
      terminals.find(terminal)?.type(data);
    },
    run: (action) => run.run(action),
    accept: (action) => run.accept(action),
    async compare(action) {
      const draft = await drafts.read(inProject(pageFiles.blockOf(action).file));
      return pageFiles.compare(action, draft?.text);
    },
    apply: pageFiles.apply,
    async saveFile(path, text, base, replaces) {
      const old = replaces ? await files.read(path) : undefined;
      if (old && old.version !== base) throw new FileError(409, `${path} has changed on disk`);
      const kept = old && old.text !== text ? await coursePage.keep(path, old.text) : undefined;
      const { version } = await files.write(path, text, base);
      await drafts.remove(path);
      return { version, kept };
    },
    async dropDraft(path, text) {
      const isOnDisk = (await files.read(path))?.text === text;
      const kept = isOnDisk ? undefined : await coursePage.keep(path, text);
      await drafts.remove(path);
      return kept;
    },
    exercise: (action, what) => exercises.run(action, what),
    async check(step) {
      const unfinished = page.steps.filter(
        (one) => !finished.has(one.slug) && pageFiles.commandsLeft(one) > 0,
      );
      const outcome = await coursePage.check(step, doing, new Set(unfinished.map(({ slug }) => slug)));
      await afterCommand(outcome);
      const reached = page.steps.find(({ slug }) => slug === outcome.reached);
      const right = unfinished.filter(({ line }) => reached !== undefined && line <= reached.line);
      for (const one of right) pageFiles.finishFiles(one);
      const [first] = outcome.ok ? right : [];
      const { ok, text } = outcome;
      if (!first) return { ok, text };
      return { ok, text, left: { step: first.slug, commands: pageFiles.commandsLeft(first) } };
    },
    catchUp: async (step) => afterCommand(await coursePage.catchUp(step, doing)),
    finish,
    async answer(question, text) {
      answers = { ...answers, [question]: text };
      await saveMemory();
    },
    notebook: () => readNotebook(course, memory),
    faults: () => faultRun.list(),
    cause: (fault, choice) => faultRun.cause(fault, choice),
    endFault: () => faultRun.end(),
    async openInEditor(path, line) {
      if (!(await files.read(path))) throw new ActionError(`there is no ${path} on disk: save it first`);
      return openInEditor({ file: files.pathOf(path), line, folder, env: coursePage.shell.env });
    },
    async [Symbol.asyncDispose]() {
      listeners.clear();
      await unwatch();
      await language[Symbol.asyncDispose]();
      await saveObjects.idle();
      await terminals.close();
      watches.abort();
      await model.done;
      await client.close();
    },
  };
}

/** Returns a shell whose Node programs record their reconciles. */
function withNodeOptions(shell: LearnerShell, options: string): LearnerShell {
  const before = shell.env.NODE_OPTIONS;
  // OPERATOR_PATH_UI: operator-dev need not say how to open a view.
  return {
    ...shell,
    env: { ...shell.env, OPERATOR_PATH_UI: "1", NODE_OPTIONS: before ? `${before} ${options}` : options },
  };
}

function blockIdOf(key: string): string {
  return key.slice(0, key.lastIndexOf("#"));
}

/** The names of the terminals that the page uses, in their order. */
function terminalsOf(page: Page): string[] {
  const used = page.steps.flatMap(({ blocks }) =>
    blocks.flatMap((block) => (block.kind === "console" ? [block.options.terminal || "main"] : [])),
  );
  return [...new Set(["main", ...used])];
}
