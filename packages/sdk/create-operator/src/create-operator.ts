import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { relative, resolve } from "node:path";
import { CommandError, runOperatorSdk, type Surroundings } from "@operator-path/operator-sdk";
import { findTarballs, useTarballs } from "./tarballs.ts";

const help = `Usage: npm create @operator-path/operator [folder] -- [flags]

Starts the project of a Kubernetes operator in TypeScript, in a new folder or in this one. The flags are those of
operator-sdk init:
  --domain <domain>      domain of your API groups, such as example.com (default: my.domain)
  --repo <path>          repository of the project (default: the project's name)
  --project-name <name>  default: the folder's name
  --plugins <name>       hybrid.helm.sdk.operatorframework.io: with Helm charts, too

And until the packages are published:
  --tarballs <folder>    folder with the packages' tarballs, to copy into the project
`;

/**
 * Starts a project: creates the folder, and runs operator-sdk's init in it.
 *
 * @param args a folder (default: the current one), and flags of init
 * @param surroundings of operator-sdk; `cwd` is where the folder is made
 * @returns 0, or 1 after one line on stderr; on 1, no new folder is left
 */
export async function createOperator(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { cwd, stdout, stderr } = surroundings;
  if (args.includes("--help") || args.includes("-h")) {
    stdout(help);
    return 0;
  }
  try {
    const { folder, tarballs, flags } = readArguments(args);
    const found = tarballs === undefined ? undefined : findTarballs(resolve(cwd, tarballs));
    const project = resolve(cwd, folder);
    // The topmost folder that was made, or undefined.
    const made = folder === "." ? undefined : makeFolder(project, folder);
    let isReady = false;
    try {
      const code = await runOperatorSdk(["init", ...flags], { ...surroundings, cwd: project });
      if (code !== 0) return code;
      if (found) useTarballs(project, found);
      isReady = true;
    } finally {
      if (!isReady && made !== undefined) rmSync(made, { recursive: true });
    }
    const enter = project === cwd ? "" : `$ cd ${relative(cwd, project)}\n`;
    stdout(`The project includes operator-sdk:\n${enter}$ npm install\n$ npx operator-sdk create api\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    stderr(`Error: ${error.message}\n`);
    return 1;
  }
}

/** The folder comes first, so that the value of a flag is not taken for it. */
function readArguments(args: readonly string[]) {
  const [first = ""] = args;
  const named = first !== "" && !first.startsWith("-");
  const flags = named ? args.slice(1) : [...args];
  const at = flags.findIndex((flag) => /^--tarballs(?:=|$)/.test(flag));
  const [flag = "", value = ""] = flags.slice(at, at + 2);
  const joined = flag.includes("=");
  const tarballs = at === -1 ? undefined : joined ? flag.slice(flag.indexOf("=") + 1) : value;
  if (tarballs === "") throw new CommandError("--tarballs has no value (expected a folder)");
  if (at !== -1) flags.splice(at, joined ? 1 : 2);
  return { folder: named ? first : ".", tarballs, flags };
}

/** @returns the topmost folder that was made; undefined if an empty folder already existed */
function makeFolder(path: string, folder: string): string | undefined {
  try {
    const made = mkdirSync(path, { recursive: true });
    if (made !== undefined || readdirSync(path).length === 0) return made;
  } catch (error) {
    throw new CommandError(`${folder} cannot be created: ${(error as Error).message}`);
  }
  throw new CommandError(`${folder} is not empty: name a new folder`);
}
