import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { UserError } from "@operator-path/cluster/user-error";
import { runFolderPrefix, runMarker, runMarkerVariable } from "../leaks/processes.ts";
import { makeTrace } from "../oracles/activity.ts";
import { findOnPath, findPnpm, operatorSdkScript, shellCommand } from "./programs.ts";

export interface EnvironmentOptions {
  /** Folder for the folders of runs. Default: the system's folder for temporary files. */
  readonly parent?: string;
  /** Programs for the page: name → absolute path. */
  readonly tools: ReadonlyMap<string, string>;
  /** Other programs that the page `requires`. They are looked up on the PATH of this process. */
  readonly requires: readonly string[];
  /**
   * Name of the learner's folder in the working folder. It is not created here. Default: the working folder.
   */
  readonly project?: string;
  /** Variables for the page's terminals. They override the run's own. */
  readonly variables?: Readonly<Record<string, string>>;
  /** This process's environment, for PATH and `npm_execpath`. Default: process.env. */
  readonly processEnv?: Readonly<Record<string, string | undefined>>;
}

/** The folder of a run, and the environment of its terminals, which inherit nothing from this process. */
export interface RunEnvironment {
  readonly folder: string;
  /** The working folder. It takes the place of the tutorial's folder, so links start here. */
  readonly work: string;
  /** The learner's folder. Terminals open in it, or in `work` while it does not exist. */
  readonly learner: string;
  /** Folder for the shells' own files. */
  readonly terminals: string;
  /** Folder where the cluster and the processes of the terminals record what operators do. */
  readonly activity: string;
  readonly env: Readonly<Record<string, string>>;
  /** Value of the marker variable, which every process of this run has. */
  readonly marker: string;
}

/** A page gets the checkout's operator-sdk, never an installed one. */
const operatorSdk = "operator-sdk";

/** Creates the folder. Throws UserError for a missing required program. */
export function createEnvironment(options: EnvironmentOptions): RunEnvironment {
  const processEnv = options.processEnv ?? process.env;
  const path = processEnv.PATH ?? "";
  const required = new Map<string, string>();
  for (const name of options.requires.filter((one) => one !== operatorSdk)) {
    const found =
      options.tools.get(name) ?? (name === "pnpm" ? findPnpm(processEnv)?.at(-1) : findOnPath(name, path));
    if (found === undefined)
      throw new UserError(
        `the page needs ${name}, which is not on the PATH: install it, then run this again`,
      );
    required.set(name, found);
  }

  const marker = runMarker();
  const parent = realpathSync(options.parent ?? tmpdir());
  const folder = mkdtempSync(join(parent, `${runFolderPrefix}${marker}-`));
  chmodSync(folder, 0o700);
  const at = (name: string): string => {
    mkdirSync(join(folder, name), { recursive: true });
    return join(folder, name);
  };
  const [work, home, bin, temporary, terminals] = [
    at("work"),
    at("home"),
    at("bin"),
    at("tmp"),
    at("terminals"),
  ];

  const learner = join(work, options.project ?? "");
  for (const [name, target] of new Map([...required, ...options.tools, ["node", process.execPath]])) {
    if (name !== "pnpm") symlinkSync(target, join(bin, name));
  }
  const pnpm = findPnpm(processEnv);
  if (pnpm) writeFileSync(join(bin, "pnpm"), shellCommand(pnpm), { mode: 0o755 });
  if (options.requires.includes(operatorSdk))
    writeFileSync(join(bin, operatorSdk), operatorSdkScript(), { mode: 0o755 });
  const kubeconfig = join(at("home/.kube"), "config");
  const activity = join(folder, "activity");

  const system = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/sbin", "/sbin"];
  const env: Record<string, string> = {
    PATH: [bin, ...system].join(delimiter),
    HOME: home,
    KUBECONFIG: kubeconfig,
    TMPDIR: temporary,
    SHELL: "/bin/bash",
    TERM: "dumb",
    NO_COLOR: "1",
    LANG: "C.UTF-8",
    LC_ALL: "C.UTF-8",
    PAGER: "cat",
    // A page starts the same programs often, so Node caches compiled code, by default in the run's folder.
    // kubectl and helm are too short for Go's garbage collector to pay off.
    NODE_COMPILE_CACHE: processEnv.NODE_COMPILE_CACHE ?? at("compiled"),
    NODE_OPTIONS: makeTrace(activity),
    GOGC: "off",
    GOMEMLIMIT: "256MiB",
    npm_config_update_notifier: "false",
    // Without this, pnpm's check would install from another store into the repository's node_modules.
    pnpm_config_verify_deps_before_run: "false",
    ...options.variables,
    [runMarkerVariable]: marker,
  };
  return { folder, work, learner, terminals, activity, env, marker };
}

/** Copies a kubeconfig for the page's shells, so that the page cannot change the original. */
export function giveKubeconfig(environment: RunEnvironment, path: string): void {
  const kubeconfig = environment.env.KUBECONFIG ?? "";
  copyFileSync(path, kubeconfig);
  chmodSync(kubeconfig, 0o600);
}
