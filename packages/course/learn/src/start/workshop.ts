import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { type Page, prepareProject, writeStart } from "@operator-path/walkthrough";
import { whatToMend } from "../what-to-mend.ts";
import { type EnvironmentFiles, writeEnvironmentFiles } from "./environment-files.ts";
import type { Session } from "./session.ts";

/** Where a learner builds the project of a page by hand. */
export interface Workshop extends EnvironmentFiles {
  /** `.operator-path/<tutorial>/<project>`, named as the page names it. Never deleted. */
  readonly folder: string;
  /** Where a shell opens: there, or beside it while the page has yet to make it. */
  readonly opensIn: string;
}

/** What is written before the learner writes anything. */
const seeds = ["pnpm-lock.yaml", "pnpm-workspace.yaml"];

/** The folder's name. Throws for a page that has nothing to build. */
export function projectOf(page: Page): string {
  const { project } = page.frontMatter;
  if (project === undefined) throw new Error(`${page.path} has no project`);
  return project;
}

/** The folder for a project, whether or not it exists. */
export function workshopFolder(session: Pick<Session, "workshops">, project: string): string {
  return join(session.workshops, project);
}

/** Whether the learner has written something there. */
export async function hasWork(folder: string): Promise<boolean> {
  const files = await readdir(folder).catch(() => []);
  return files.some((file) => !seeds.includes(file));
}

/** Moves what was begun aside, to a name that says when; returns the name. */
export async function setAside(folder: string, now = new Date()): Promise<string> {
  const when = now.toISOString().slice(0, 19).replaceAll(":", "-");
  let aside = `${folder}-${when}`;
  for (let count = 2; existsSync(aside); count++) aside = `${folder}-${when}-${count}`;
  await rename(folder, aside);
  return aside;
}

/** What of a session a folder is made with. */
export type WorkshopOptions = Pick<Session, "root" | "tutorial" | "workshops" | "env" | "signal">;

/**
 * Makes the folder, if need be, so that the page can be followed word for word: what the page begins with, and what lets
 * `pnpm install` work without network. A folder in which work was begun is left as it is. Throws when the packages
 * that the project uses do not build; UserError, with nothing begun, when what earlier pages did cannot be done again.
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
      // What is half begun would be taken for the learner's work the next time.
      await rm(folder, { recursive: true, force: true });
      throw whatToMend(error);
    });
  }
  const committed = relative(session.root, join(session.tutorial, project));
  const packages = join(workshops, "packages");
  const prepared = await prepareProject({ root, project: committed, packages, signal });
  if (existsSync(folder) && !seeds.every((file) => existsSync(join(folder, file)))) prepared?.seed(folder);
  return { folder, opensIn: existsSync(folder) ? folder : workshops };
}

/**
 * The same, and the files that make a terminal the session's. They lie in the session's own folder: two sessions of one tutorial have the
 * learner's folder in common, and each a cluster of its own. `undo` removes the files.
 */
export async function openWorkshop(
  session: Session,
  page: Page,
  undo: AsyncDisposableStack,
): Promise<Workshop> {
  const { folder, opensIn } = await makeWorkshop(session, page);
  const { bin, variables, context, url: server } = session;
  const label = `${context} ${basename(session.tutorial)}`;
  const terminal = { bin, variables, context, server, label, node: process.version };
  const files = await writeEnvironmentFiles(session.directory, terminal, [folder, session.workshops]);
  undo.defer(async () => {
    for (const file of Object.values(files)) await rm(file, { force: true });
  });
  return { folder, opensIn, ...files };
}
