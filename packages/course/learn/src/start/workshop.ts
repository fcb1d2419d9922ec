import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { quote } from "@operator-path/tools";
import { type Page, prepareProject, writeStart } from "@operator-path/walkthrough";
import { whatToMend } from "../what-to-mend.ts";
import type { Session } from "./session.ts";

/** Where a learner builds the project of a page by hand. */
export interface Workshop {
  /** `.operator-path/<tutorial>/<project>`, named as the page names it. Never deleted. */
  readonly folder: string;
  /** Where a shell opens: there, or beside it while the page has yet to make it. */
  readonly opensIn: string;
  /** `. <file>` makes another terminal of the learner's like the shell of this session. */
  readonly environmentFile: string;
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
): Promise<Omit<Workshop, "environmentFile">> {
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

/** The same, and a file that makes another terminal like this session's; `undo` removes that file. */
export async function openWorkshop(
  session: Session,
  page: Page,
  undo: AsyncDisposableStack,
): Promise<Workshop> {
  const { folder, opensIn } = await makeWorkshop(session, page);
  const { workshops } = session;
  const environmentFile = join(workshops, "env.sh");
  // A page may begin without the folder, and make it.
  const enter = `cd ${quote(folder)} 2>/dev/null || cd ${quote(workshops)}`;
  // Of a session that was killed it is still there.
  const over = `echo ${quote("The session of this file is over: pnpm start begins another.")} >&2; return 1`;
  const content = `# For another terminal of this session: . ${environmentFile}
[ -e ${quote(session.env.KUBECONFIG ?? "")} ] || { ${over}; }
${session.exports}${enter}
`;
  await writeFile(environmentFile, content);
  // It names a cluster that goes with the session.
  undo.defer(() => rm(environmentFile, { force: true }));
  return { folder, opensIn, environmentFile };
}
