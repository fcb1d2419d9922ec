import { mkdir, symlink, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { quote } from "@operator-path/tools";
import { installedStore, operatorSdkScript, shellCommand, sourceCommand } from "@operator-path/walkthrough";
import { personalPath, pnpmCommand, pnpmVariable } from "../pnpm-command.ts";
import { courseCommands, foreignVariables } from "./terminal-environment.ts";

export interface LearnerEnvironmentOptions {
  /** Folder for the commands. It is created here. */
  readonly bin: string;
  readonly kubectl: string;
  /** Absolute path. Undefined: no page of the tutorial needs helm. */
  readonly helm?: string;
  /** Absolute path of the program that Makefiles call as `$(CONTAINER_TOOL)`. */
  readonly containerTool: string;
  /** Command line of the pnpm that runs this process. Undefined: only the learner's own pnpm. */
  readonly pnpm: readonly string[] | undefined;
  /** More variables of the session: KUBECONFIG, … */
  readonly variables: Readonly<Record<string, string>>;
}

/** The environment in which a learner follows a page by hand. */
export interface LearnerEnvironment {
  /**
   * For child processes: the person's environment without pnpm's script variables, and without variables that
   * select another cluster.
   */
  readonly env: NodeJS.ProcessEnv;
  /** The same as lines for a POSIX shell in another terminal. */
  readonly exports: string;
  /** Folder of the commands. With `variables`, it is the difference from the person's own environment. */
  readonly bin: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** Returns the variables for a `pnpm install` in a learner's folder. */
export async function pnpmSettings(root: string): Promise<Record<string, string>> {
  const store = await installedStore(root);
  return {
    ...(store !== undefined && { pnpm_config_store_dir: store }),
    // `operator-sdk init` locks the same packages as the repository, so pnpm need not ask the registry.
    pnpm_config_prefer_offline: "true",
    pnpm_config_trust_lockfile: "true",
    // The repository is installed already, and the page starts its operator from there too.
    pnpm_config_verify_deps_before_run: "false",
    // A folder without package.json is an empty workspace, in which pnpm would report success.
    pnpm_config_fail_if_no_match: "true",
  };
}

/**
 * Creates a folder with kubectl, helm, container-tool, operator-sdk, the course's commands, node and pnpm,
 * and puts it first on PATH.
 */
export async function createLearnerEnvironment(
  options: LearnerEnvironmentOptions,
): Promise<LearnerEnvironment> {
  await mkdir(options.bin, { recursive: true });
  // Many people have an alias `k` for kubectl.
  for (const name of ["kubectl", "k"]) await symlink(options.kubectl, join(options.bin, name));
  if (options.helm !== undefined) await symlink(options.helm, join(options.bin, "helm"));
  await symlink(options.containerTool, join(options.bin, "container-tool"));
  await symlink(process.execPath, join(options.bin, "node"));
  if (options.pnpm) await writeFile(join(options.bin, "pnpm"), shellCommand(options.pnpm), { mode: 0o755 });
  await writeFile(join(options.bin, "operator-sdk"), operatorSdkScript(), { mode: 0o755 });
  const pnpm = await pnpmCommand(process.env);
  for (const name of courseCommands)
    await writeFile(join(options.bin, name), courseScript(name, pnpm), { mode: 0o755 });

  // pnpm adds the repository's commands to the PATH of its scripts, and its settings to their environment.
  const own = Object.entries(process.env).filter(([name]) => !isForeign(name));
  const env = {
    ...Object.fromEntries(own),
    ...options.variables,
    PATH: [options.bin, personalPath(process.env)].join(delimiter),
  };
  const exports = Object.entries(options.variables).map(
    ([name, value]) => `export ${name}=${quote(value)}\n`,
  );
  return {
    bin: options.bin,
    variables: options.variables,
    env,
    exports: `export PATH=${quote(options.bin)}:"$PATH"\n${exports.join("")}`,
  };
}

/**
 * Returns a script for a command of the course. Without INIT_CWD, which is the folder of `pnpm start`, paths
 * start in the current folder.
 */
function courseScript(name: (typeof courseCommands)[number], pnpm: string): string {
  const main = fileURLToPath(new URL("../main.ts", import.meta.url));
  const env = [
    "-u",
    "INIT_CWD",
    "EXERCISE_COMMAND=exercise",
    "LEARN_COMMAND=learn",
    `${pnpmVariable}=${pnpm}`,
  ];
  return shellCommand([...sourceCommand(main, env), ...(name === "learn" ? [] : [name])]);
}

/**
 * Includes exported bash functions: a child bash would run a function `kubectl` instead of the command.
 */
function isForeign(name: string): boolean {
  return /^p?npm_|^BASH_FUNC_/i.test(name) || foreignVariables.includes(name);
}
