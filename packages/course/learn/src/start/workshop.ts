import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, realpath, rename, rm } from "node:fs/promises";
import { basename, dirname, join, relative } from "node:path";
import { type Page, prepareProject, startProjectOf, writeStart } from "@operator-path/walkthrough";
import { whatToMend } from "../what-to-mend.ts";
import { type EnvironmentFiles, latestFile, writeEnvironmentFiles } from "./environment-files.ts";
import type { Session } from "./session.ts";

/** The folder in which a learner builds the project of a page by hand. */
export interface Workshop extends EnvironmentFiles {
  /** `.operator-path/<tutorial>/<project>`, named as the page names it. Never deleted. */
  readonly folder: string;
  /** Where a shell opens: in the folder, or beside it until the page makes it. */
  readonly opensIn: string;
  /** Whether another session of the tutorial, with a cluster of its own, uses the folder. */
  readonly isShared: boolean;
}

/** Files that are written before the learner's. */
const seeds = ["pnpm-lock.yaml", "pnpm-workspace.yaml"];

/** Returns the folder's name. Throws for a page without a project. */
export function projectOf(page: Page): string {
  const { project } = page.frontMatter;
  if (project === undefined) throw new Error(`${page.path} has no project`);
  return project;
}

/** Returns the folder for a project, which may not exist. */
export function workshopFolder(session: Pick<Session, "workshops">, project: string): string {
  return join(session.workshops, project);
}

/** Reports whether the folder has files of the learner. */
export async function hasWork(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch(() => []);
  return files.some((file) => !seeds.includes(file));
}

/** Moves a folder aside, to a name with the time. Returns the new path. */
export async function setAside(folder: string, now = new Date()): Promise<string> {
  const when = now.toISOString().slice(0, 19).replaceAll(":", "-");
  let aside = `${folder}-${when}`;
  for (let count = 2; existsSync(aside); count++) aside = `${folder}-${when}-${count}`;
  await rename(folder, aside);
  return aside;
}

/** The parts of a session that make a folder. */
export type WorkshopOptions = Pick<Session, "root" | "tutorial" | "workshops" | "env" | "signal">;

/**
 * Makes the folder in which the learner can follow the page word for word: the start of the page, and the
 * files with which `pnpm install` works without network. Keeps a folder with work of the learner. Throws if
 * the packages of the project do not build. Throws UserError, and removes the folder again, if the edits and
 * commands of earlier pages fail.
 */
export async function makeWorkshop(
  session: WorkshopOptions,
  page: Page,
): Promise<Pick<Workshop, "folder" | "opensIn">> {
  const project = projectOf(page);
  const folder = workshopFolder(session, project);
  const { root, signal, workshops } = session;
  await mkdir(workshops, { recursive: true });
  if (!(await hasWork(folder))) {
    await writeStart(page, workshops, session).catch(async (error: unknown) => {
      // The next start would take an incomplete folder for the learner's work.
      await rm(folder, { recursive: true, force: true });
      throw whatToMend(error);
    });
  }
  const committed = relative(session.root, join(session.tutorial, project));
  const packages = join(workshops, "packages");
  const prepared = await prepareProject({
    ...{ root, project: committed, startProject: startProjectOf(page, root), packages, signal },
  });
  if (existsSync(folder) && !seeds.every((file) => existsSync(join(folder, file)))) prepared?.seed(folder);
  return { folder, opensIn: existsSync(folder) ? folder : workshops };
}

/**
 * Makes the folder, and the files that set up a terminal for the session. The files are in the session's
 * own folder, because two sessions of one tutorial share the learner's folder, but not the cluster. `undo`
 * removes the files.
 */
export async function openWorkshop(
  session: Session,
  page: Page,
  undo: AsyncDisposableStack,
): Promise<Workshop> {
  const { folder, opensIn } = await makeWorkshop(session, page);
  const isShared = await hasOtherSession(session);
  const { bin, variables, context, env, url: server } = session;
  // A page may remove a version of a CRD. kubectl would still ask for the versions in its cache: "Unable to list …".
  if (env.KUBECACHEDIR) await removeCache(env.KUBECACHEDIR);
  const tutorial = basename(session.tutorial);
  // The number is enough, and leaves room for the folder and a command in 80 columns.
  const label = `${context} ${/^\d+/.exec(tutorial)?.[0] ?? tutorial}`;
  const terminal = { bin, variables, context, server, label, node: process.version };
  const files = await writeEnvironmentFiles(session.directory, terminal, {
    folder,
    beside: session.workshops,
    all: dirname(session.workshops),
  });
  undo.defer(async () => {
    for (const file of Object.values(files)) await rm(file, { force: true });
  });
  return { folder, opensIn, isShared, ...files };
}

/** Reports whether the tutorial's last session is another one, and has not ended. */
async function hasOtherSession({ workshops, directory }: Session): Promise<boolean> {
  const last = await realpath(latestFile(workshops)).catch(() => undefined);
  return last !== undefined && dirname(last) !== (await realpath(directory));
}

/** Removes kubectl's cache. Another kubectl may be writing to it, so a removal in place would fail. */
async function removeCache(folder: string): Promise<void> {
  if (!existsSync(folder)) return;
  const aside = `${folder}-${randomUUID()}`;
  await rename(folder, aside);
  await rm(aside, { recursive: true, force: true });
}
