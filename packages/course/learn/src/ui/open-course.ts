import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { KubeConfig } from "@operator-path/client";
import { UserError } from "@operator-path/cluster/user-error";
import { executablesOnPath } from "@operator-path/tools";
import type { Page } from "@operator-path/walkthrough";
import type {
  Course,
  CoursePage,
  LearnerShell,
  Outcome,
  PageEntry,
  TestOutcome,
} from "@operator-path/workbench";
import { catchUp } from "../catch-up/catch-up.ts";
import { checkWork } from "../check/check.ts";
import { formatMissing, missingFiles, missingObjects } from "../check/missing-objects.ts";
import { recordDone, stepsWithoutProof } from "../check/record.ts";
import { isSessionCluster } from "../check/session-cluster.ts";
import { doExercise } from "../exercise/exercise.ts";
import { keepAttempt } from "../exercise/keep.ts";
import { changeFinished, readFinished, stepStates, withSteps } from "../finished-steps.ts";
import { listPages, type PageFile, shortPath } from "../pages.ts";
import { readPage } from "../read-page.ts";
import { type Session, workshopsOf } from "../start/session.ts";
import type { Sessions } from "../start/sessions.ts";
import { prepareShell } from "../start/shell-startup.ts";
import { openWorkshop, projectOf, type Workshop } from "../start/workshop.ts";
import { definedOf } from "../test-environment.ts";
import { windowVocabulary } from "./window-vocabulary.ts";

export interface CourseOptions {
  readonly root: string;
  readonly sessions: Sessions;
  readonly signal: AbortSignal;
}

/** Returns the course's commands for the workbench. `undo` removes what opened pages leave. */
export function openCourse(options: CourseOptions, undo: AsyncDisposableStack): Course {
  async function fileOf(name: string): Promise<PageFile> {
    const file = (await listPages(options.root)).find((one) => one.name === name);
    if (!file) throw new UserError(`there is no page ${name}`);
    return file;
  }
  return {
    pages: () => listEntries(options.root),
    laterThan: options.sessions.laterThan,
    goBackTo: options.sessions.goBackTo,
    read: async (name) => readPage(await fileOf(name)),
    async open(name) {
      const files = await listPages(options.root);
      const file = await fileOf(name);
      const tutorial = basename(dirname(file.path));
      const session = await options.sessions.of(name, { looks: true });
      const page = readPage(file);
      return openCoursePage({ ...options, tutorial, session, file, page, files }, undo);
    },
  };
}

async function listEntries(root: string): Promise<PageEntry[]> {
  const { finished } = await readFinished(workshopsOf(root));
  return (await listPages(root)).map((file) => {
    const page = readPage(file);
    const { title, minutes } = page.frontMatter;
    const states = stepStates(page, file.name, finished);
    const done = states.filter((state) => state.finished).length;
    return { name: file.name, title, minutes, steps: states.length, finished: done };
  });
}

interface OpenOptions extends CourseOptions {
  readonly tutorial: string;
  readonly session: Session;
  readonly file: PageFile;
  readonly page: Page;
  readonly files: readonly PageFile[];
}

async function openCoursePage(options: OpenOptions, undo: AsyncDisposableStack): Promise<CoursePage> {
  const { root, tutorial, session, page, file, files, signal } = options;
  const { name } = file;
  const workshop = await openWorkshop(session, page, undo);
  const work = workshopsOf(root);
  const { folder } = workshop;
  const kubeConfig = new KubeConfig();
  kubeConfig.loadFromFile(session.variables.KUBECONFIG ?? "");
  const common = {
    ...{ root, workshops: work, cwd: folder, env: session.env, signal },
    words: windowVocabulary(file, files),
  };
  type Common = typeof common & { say(line: string): void };
  const said = (command: (more: Common) => Promise<number>): Promise<Outcome> =>
    collect((say) => command({ ...common, say }));
  const exerciseName = (step: string, number: number): string => {
    const { blocks = [] } = page.steps.find(({ slug }) => slug === step) ?? {};
    const several = blocks.filter(({ kind }) => kind === "exercise").length > 1;
    return `${name}@${step}${several ? `/${number}` : ""}`;
  };
  return {
    ...{ name, page, folder },
    pageOf: (path) => files.find((one) => one.path === join(dirname(file.path), path))?.name,
    shell: await shellOf(session, workshop),
    directory: join(session.directory, "terminals"),
    ...{ kubeConfig, faults: session.faults },
    async finished() {
      const { finished } = await readFinished(work);
      return stepStates(page, name, finished).flatMap((one) => (one.finished ? [one.step.slug] : []));
    },
    async finish(step) {
      await changeFinished(work, (before) => {
        const done = before.pages[name]?.done ?? [];
        return withSteps(before, name, "done", [...new Set([...done, step])]);
      });
    },
    drafts: join(session.workshops, "drafts", projectOf(page)),
    saveObjects: () => options.sessions.save(tutorial, name),
    async missingAbove(line, text) {
      const more = { project: folder, env: definedOf(session.env), signal: AbortSignal.timeout(5000) };
      const objects = isSessionCluster(session.env) ? await missingObjects(page, line, more) : undefined;
      const missing = [
        ...missingFiles(page, line, folder, text),
        ...(objects ? [formatMissing(page, objects)] : []),
      ];
      return missing.map((one) => `${one}.`);
    },
    async check(step, doing, unfinished) {
      let reached: string | undefined;
      const record: typeof recordDone = async (place, last, more) => {
        const own = place.pages.find(({ path }) => path === file.path);
        if (last.page === own) reached = last.step.slug;
        await recordDone(place, last, more, { except: stepsWithoutProof(place.pages, own, unfinished) });
      };
      const name = step && `${file.name}@${step}`;
      const outcome = await said((more) => checkWork(name, { ...more, doing, record }));
      return { ...outcome, ...(reached !== undefined && { reached }) };
    },
    catchUp: (step, doing) => said((more) => catchUp(`${name}@${step}`, { ...more, doing })),
    async exercise(step, number, action, doing) {
      let tests: readonly TestOutcome[] | undefined;
      const showTests = (shown: readonly TestOutcome[]): void => {
        tests = shown;
      };
      const outcome = await said((more) =>
        doExercise(exerciseName(step, number), action, { ...more, doing, showTests }),
      );
      return { ...outcome, ...(tests && { tests }) };
    },
    async keep(path, text) {
      const kept = join(session.workshops, "saved", projectOf(page), dirname(path));
      return shortPath(await keepAttempt(kept, path, text), process.cwd());
    },
  };
}

/** Collects what a command says. An error for the user is an answer, too. */
async function collect(command: (say: (line: string) => void) => Promise<number>): Promise<Outcome> {
  const lines: string[] = [];
  const text = (): string => stripVTControlCharacters(lines.join("\n"));
  try {
    const status = await command((line) => lines.push(line));
    return { ok: status === 0, text: text() };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    lines.push(error.message);
    return { ok: false, text: text() };
  }
}

/** The page's commands are typed into a bash, because it says where the output of a command begins and ends. */
async function shellOf(session: Session, workshop: Workshop): Promise<LearnerShell> {
  const [bash] = await executablesOnPath("bash", session.env);
  if (bash === undefined) throw new UserError("the browser's terminals need bash 4.4 or newer: install it");
  const directory = join(session.directory, "shell");
  const env = { ...session.env, SHELL: bash };
  const { args, env: shellEnv } = await prepareShell({ env, files: workshop, directory });
  const rcFile = args[args.indexOf("--rcfile") + 1];
  if (rcFile === undefined) throw new Error("bash has no startup file");
  return {
    bash,
    rcFile,
    env: shellEnv,
    folder: () => (existsSync(workshop.folder) ? workshop.folder : workshop.opensIn),
  };
}
