import { mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { quote } from "@operator-path/tools";
import { installedStore, operatorSdkScript, shellCommand } from "@operator-path/walkthrough";
import { foreignVariables } from "./terminal-environment.ts";

export interface LearnerEnvironmentOptions {
  /** Folder that the commands are put into; made here. */
  readonly bin: string;
  readonly kubectl: string;
  /** Absolute; undefined: no page of the tutorial asks for it. */
  readonly helm?: string;
  /** What `$(CONTAINER_TOOL)` of a Makefile calls, absolute. */
  readonly containerTool: string;
  /** The command line of the pnpm that runs us. Without it there is no pnpm but the learner's own. */
  readonly pnpm: readonly string[] | undefined;
  /** Everything else that shells of the session must know: KUBECONFIG, … */
  readonly variables: Readonly<Record<string, string>>;
}

/** What a shell needs to follow a page by hand. */
export interface LearnerEnvironment {
  /** For child processes: your environment, minus pnpm's script variables and any variable that selects another cluster. */
  readonly env: NodeJS.ProcessEnv;
  /** The same as lines for a POSIX shell that a person has opened elsewhere. */
  readonly exports: string;
  /** What differs from the person's own environment. */
  readonly bin: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Returns the variables for a `pnpm install` in a learner's folder. */
export async function pnpmSettings(root: string): Promise<Record<string, string>> {
  const store = await installedStore(root);
  return {
    ...(store !== undefined && { pnpm_config_store_dir: store }),
    // `operator-sdk init` locks what the repository has locked, so pnpm need not ask the registry about it.
    pnpm_config_prefer_offline: "true",
    pnpm_config_trust_lockfile: "true",
    // The repository has just been installed, and the page starts its operator from there as well.
    pnpm_config_verify_deps_before_run: "false",
  };
}

/** Puts kubectl, helm, container-tool, operator-sdk, exercise, this process's node and pnpm into a folder of their own, and that folder first on PATH. */
export async function createLearnerEnvironment(o: LearnerEnvironmentOptions): Promise<LearnerEnvironment> {
  await mkdir(o.bin, { recursive: true });
  // Many people have an alias `k` for kubectl.
  for (const name of ["kubectl", "k"]) await symlink(o.kubectl, join(o.bin, name));
  if (o.helm !== undefined) await symlink(o.helm, join(o.bin, "helm"));
  await symlink(o.containerTool, join(o.bin, "container-tool"));
  await symlink(process.execPath, join(o.bin, "node"));
  if (o.pnpm) await writeFile(join(o.bin, "pnpm"), shellCommand(o.pnpm), { mode: 0o755 });
  await writeFile(join(o.bin, "operator-sdk"), operatorSdkScript(), { mode: 0o755 });
  await writeFile(join(o.bin, "exercise"), exerciseScript(), { mode: 0o755 });

  // pnpm puts the repository's own commands on the PATH of its scripts, and its settings into their environment.
  const path = (process.env.PATH ?? "").split(delimiter).filter((entry) => !isOfScript(entry));
  const own = Object.entries(process.env).filter(([name]) => !isForeign(name));
  const env = { ...Object.fromEntries(own), ...o.variables, PATH: [o.bin, ...path].join(delimiter) };
  const exports = Object.entries(o.variables).map(([name, value]) => `export ${name}=${quote(value)}\n`);
  return {
    bin: o.bin,
    variables: o.variables,
    env,
    exports: `export PATH=${quote(o.bin)}:"$PATH"\n${exports.join("")}`,
  };
}

/** `pnpm exercise`, where there is no script of that name; INIT_CWD is where `pnpm start` was given. */
function exerciseScript(): string {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const environment = ["/usr/bin/env", "-u", "INIT_CWD", "EXERCISE_COMMAND=exercise"];
  return shellCommand([
    ...environment,
    process.execPath,
    "--conditions=@operator-path/source",
    main,
    "exercise",
  ]);
}

/** Also functions that a bash has exported: a bash that we start would run a function `kubectl` in place of the command. */
function isForeign(name: string): boolean {
  return /^p?npm_|^BASH_FUNC_/i.test(name) || foreignVariables.includes(name);
}

function isOfScript(entry: string): boolean {
  return entry.split(sep).includes("node_modules") || entry.endsWith("node-gyp-bin");
}
