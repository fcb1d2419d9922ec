import { execFile } from "node:child_process";
import { cp, mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { UserError } from "@operator-path/cluster/user-error";
import { runOperatorSdk } from "@operator-path/operator-sdk";
import { shortPath } from "../pages.ts";
import { whatToMend } from "../what-to-mend.ts";
import { initialiseGit } from "./git.ts";
import { chooseIdentity, type Identity, type IdentityFlags, identityOf } from "./identity.ts";
import { addLibraries } from "./libraries.ts";
import { readmeOf } from "./readme.ts";
import { type Files, renameFiles } from "./rename.ts";
import { findStage, readStage } from "./stage.ts";
import { checkTarget, makeParents } from "./target.ts";
import { wordsFor } from "./words.ts";
import { withPlaceholder } from "./workload.ts";

export interface CopyOptions {
  /** The repository's root folder. */
  readonly root: string;
  /** The folder of the command. Relative paths start here. */
  readonly cwd: string;
  readonly signal: AbortSignal;
  /** Receives a line for each action. */
  say(line: string): void;
}

/**
 * `pnpm copy`: copies a tutorial's project as the start of the author's own operator, outside of the
 * repository, with other names and with the libraries that it needs. The folder appears only when the copy is
 * complete. Throws UserError, before it writes, for a stage that cannot be copied or an unsuitable folder.
 */
export async function copyStage(
  stageName: string,
  folder: string,
  flags: IdentityFlags,
  options: CopyOptions,
): Promise<void> {
  const { root, cwd, signal, say } = options;
  const target = resolve(cwd, folder);
  await checkTarget(target, root);
  const stage = await findStage(stageName, root);
  // Reports an invalid name before slow work. The names of the stage are known only afterwards.
  chooseIdentity(
    { name: "x", domain: "example.com", group: "x", version: "v1", kind: "X" },
    flags,
    basename(target),
  );
  say(`Taking ${stageName} out of its tutorial`);
  const original = await orUserError(() => readStage(stage, root, signal));
  const old = identityOf(stage.tutorial, original.get("PROJECT")?.toString());
  const wanted = chooseIdentity(old, flags, basename(target));
  const files = renamed(original, old, wanted);
  signal.throwIfAborted();

  const removeParents = await makeParents(target);
  // Beside the target, so that one rename puts it there.
  const making = await mkdtemp(join(dirname(target), `.${basename(target)}-`));
  try {
    await write(making, files);
    await cp(join(root, "LICENSE"), join(making, "LICENSE"));
    await orUserError(() => tidy(making, files, root));
    signal.throwIfAborted();
    say("Packing the libraries that it needs");
    await orUserError(() => addLibraries({ root, project: stage.project, folder: making, signal }));
    signal.throwIfAborted();
    const git = initialiseGit(making, `Begin ${wanted.name}`);
    signal.throwIfAborted();
    await rename(making, target);
    for (const line of farewell(target, cwd, wanted, git, files.has("package.json"))) say(line);
  } catch (error) {
    await rm(making, { recursive: true, force: true });
    await removeParents();
    throw error;
  }
}

function renamed(original: Files, old: Identity, wanted: Identity): Files {
  const kindChanges = old.kind !== wanted.kind;
  const before = kindChanges ? withPlaceholder(original) : original;
  const placeholder =
    kindChanges && [...before].some(([path, bytes]) => bytes.toString() !== original.get(path)?.toString());
  const files = new Map(renameFiles(before, wordsFor(old, wanted)));
  const change = (path: string, how: (text: string) => string): void => {
    const bytes = files.get(path);
    if (bytes) files.set(path, Buffer.from(how(bytes.toString())));
  };
  change("PROJECT", (text) => text.replaceAll(/^(\s*(?:- )?group: ).*$/gm, `$1${wanted.group}`));
  // Tutorial 01 has pnpm on the PATH. npm is wherever Node is.
  change("Makefile", (text) => text.replaceAll("\tpnpm bundle\n", "\tnpm run bundle\n"));
  // The tutorial raises the version in its Makefile alone. Another operator begins with the one in
  // package.json.
  const { version } = JSON.parse(files.get("package.json")?.toString() ?? "{}") as { version?: string };
  change("Makefile", (text) => text.replace(/^(VERSION \?= ).*$/m, `$1${version}`));
  change("config/manager/kustomization.yaml", (text) => text.replace(/^(\s*newTag: ).*$/m, `$1v${version}`));
  for (const path of ["pnpm-lock.yaml", "pnpm-workspace.yaml"]) files.delete(path);
  if (!files.has(".gitignore")) files.set(".gitignore", Buffer.from("node_modules/\ndist/\n"));
  files.set("README.md", Buffer.from(readmeOf(wanted, files, placeholder)));
  return files;
}

async function write(folder: string, files: Files): Promise<void> {
  for (const [path, bytes] of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
}

/** Generates and formats the files again: other names change the order and the length of lines. */
async function tidy(folder: string, files: Files, root: string): Promise<void> {
  if ([...files.keys()].some((path) => path.endsWith("/zz_generated.resources.ts"))) {
    let output = "";
    const note = (text: string): void => {
      output += text;
    };
    const code = await runOperatorSdk(["generate"], { cwd: folder, stdout: note, stderr: note });
    if (code !== 0) throw new UserError(`the manifests of the copy cannot be generated: ${output.trim()}`);
  }
  const biome = join(root, "node_modules/.bin/biome");
  const style = files.has("biome.json") ? [] : ["--indent-style=space", "--line-width=110"];
  const code = [...files.keys()].filter((path) => /\.(ts|json)$/.test(path));
  await promisify(execFile)(biome, ["format", "--write", "--vcs-enabled=false", ...style, ...code], {
    cwd: folder,
  });
}

/** Turns errors that a person can fix into a UserError. */
async function orUserError<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw whatToMend(error);
  }
}

function farewell(target: string, cwd: string, { name }: Identity, git: string, installs: boolean): string[] {
  const short = shortPath(target, cwd);
  const notes: Readonly<Record<string, string>> = {
    committed: "with a first commit",
    initialised: "not committed yet: git does not know who you are",
    none: "without git, which is not installed",
  };
  return [
    `${name} is in ${short}, ${notes[git]}. README.md lists what you still have to change.`,
    "Next:",
    `$ cd ${short}`,
    ...(installs ? ["$ npx --yes pnpm@12 install     # or npm install"] : []),
  ];
}
