import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type EmbeddedCluster, startEmbeddedCluster } from "@operator-path/cluster";
import { findTool } from "@operator-path/tools";
import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFailed } from "vitest";
import { type EnvironmentFiles, writeEnvironmentFiles } from "../start/environment-files.ts";
import { createLearnerEnvironment, type LearnerEnvironment } from "../start/learner-environment.ts";
import { prepareShell, type ShellStartup } from "../start/shell-startup.ts";
import { type ForeignServer, type HostileHome, openHostileHome, startForeignServer } from "./hostile-home.ts";
import { openProgram, type Terminal } from "./terminal.ts";

/** The start of the prompt in a session's terminal. */
export const prefix = "(operator-path a-tutorial) ";

export const shells = {
  bash: "/bin/bash",
  zsh: firstThere("/usr/bin/zsh", "/bin/zsh"),
  fish: firstThere("/usr/bin/fish", "/usr/local/bin/fish", "/opt/homebrew/bin/fish"),
  sh: "/bin/sh",
} as const;

export type ShellName = keyof typeof shells;

/** The file that an interactive shell of this kind reads. */
export const startupFiles: Readonly<Record<ShellName, string>> = {
  bash: ".bashrc",
  zsh: ".zshrc",
  fish: ".config/fish/config.fish",
  sh: ".shrc",
};

/** Returns why a test is skipped, for its title. */
export function whySkipped(name: ShellName): string {
  return shells[name] === undefined ? ` (skipped: this machine has no ${name})` : "";
}

/** Returns a line of a startup file. The value is quoted, and the shell expands $HOME in it. */
export function sets(name: ShellName, variable: string, value: string): string {
  return name === "fish" ? `set -gx ${variable} "${value}"` : `export ${variable}="${value}"`;
}

/**
 * A session's files and a hostile home for each test, and one cluster and one foreign server for all tests.
 */
export interface ShellBench {
  readonly cluster: EmbeddedCluster;
  readonly foreign: ForeignServer;
  readonly kubectl: string;
  readonly home: HostileHome;
  readonly environment: LearnerEnvironment;
  readonly files: EnvironmentFiles;
  /**
   * Writes the files again, for another learner's folder.
   *
   * @param kubeconfig the session's, for the same cluster. Default: the bench's
   */
  writeFiles(folder: string, beside: string, kubeconfig?: string): Promise<EnvironmentFiles>;
  /** Prepares the shell that `pnpm start` opens for a person with this SHELL. */
  prepare(shell: string, more?: NodeJS.ProcessEnv): Promise<ShellStartup>;
  /** Opens that shell. */
  open(name: ShellName): Promise<Terminal>;
  /** Opens a terminal outside of the session. */
  openOwn(name: ShellName): Terminal;
  /**
   * Writes to the cluster and prints Node's version, as a person would type it. Fails if a request reached
   * the foreign server.
   */
  use(terminal: Terminal, name: ShellName): Promise<void>;
}

/** Registers the hooks of the bench. */
export function useShellBench(): ShellBench {
  const bench = {} as { -readonly [Key in keyof ShellBench]: ShellBench[Key] };
  beforeAll(async () => {
    const [cluster, foreign, { path }] = await Promise.all([
      startEmbeddedCluster(),
      startForeignServer(),
      findTool("kubectl"),
    ]);
    Object.assign(bench, { cluster, foreign, kubectl: path });
  });
  afterAll(() => Promise.all([bench.cluster.stop(), bench.foreign.close()]));
  beforeEach(async () => {
    const { cluster, foreign, kubectl } = bench;
    const home = await openHostileHome(foreign);
    const directory = join(home.folder, "session");
    await mkdir(directory);
    const environment = await createLearnerEnvironment({
      ...{ bin: join(directory, "bin"), kubectl, containerTool: "/no/container-tool", pnpm: undefined },
      variables: {
        ...{ KUBECONFIG: cluster.kubeconfigPath, KUBERC: "off", KUBECACHEDIR: join(directory, "cache") },
      },
    });
    const { bin, variables } = environment;
    const context = cluster.kubeConfig.getCurrentContext();
    const terminal = { bin, variables, context, server: cluster.url, node: process.version };
    bench.writeFiles = (folder, beside, KUBECONFIG = cluster.kubeconfigPath) =>
      writeEnvironmentFiles(
        directory,
        { ...terminal, variables: { ...variables, KUBECONFIG }, label: "operator-path a-tutorial" },
        { folder, beside, all: directory },
      );
    const files = await bench.writeFiles(home.folder, home.folder);
    Object.assign(bench, { home, environment, files });
  });
  afterEach(() => bench.home.remove());

  bench.prepare = (shell, more = {}) => {
    const { environment, files, home } = bench;
    const own = { HOME: home.folder, SHELL: shell, ENV: "$HOME/.shrc", TERM: "dumb" };
    const directory = join(home.folder, "session/shell");
    return prepareShell({ env: { ...environment.env, ...own, ...more }, files, directory });
  };
  bench.open = async (name) => {
    const { program, args, env } = await bench.prepare(shells[name] ?? "");
    return openWatched(program, args, env);
  };
  bench.openOwn = (name) => {
    const { folder, oldBin } = bench.home;
    const env = { HOME: folder, PATH: `${oldBin}:/usr/bin:/bin`, TERM: "dumb", ENV: "$HOME/.shrc" };
    return openWatched(shells[name] ?? "", ["-i"], env);
  };
  let count = 0;
  bench.use = async (terminal, name) => {
    const id = `${name}-${++count}`;
    terminal.type(`kubectl create configmap ${id}\r`);
    await terminal.shows(`configmap/${id} created`);
    terminal.type(`k delete configmap ${id}; node --version\r`);
    await terminal.shows(new RegExp(`configmap "${id}" deleted[^]*${process.version}\r`));
    expect(terminal.screen()).not.toContain("v12.0.0");
    expect(bench.foreign.connections()).toBe(0);
  };
  return bench;
}

/** Opens a terminal, and prints its screen if the test fails. */
export function openWatched(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Terminal {
  const terminal = openProgram(program, args, env);
  onTestFailed(() => console.error(terminal.screen()));
  return terminal;
}

function firstThere(...paths: string[]): string | undefined {
  return paths.find(existsSync);
}
