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
  /** Where run folders are made; default the system's folder for temporary files. */
  readonly parent?: string;
  /** Programs that the page may call: name → absolute path. */
  readonly tools: ReadonlyMap<string, string>;
  /** Other programs that the page needs (`requires`), looked up on the PATH of this process. */
  readonly requires: readonly string[];
  /** Name of the learner's folder in the working folder, not made here; without it they are the same. */
  readonly project?: string;
  /** Variables for the page's terminals, above ours. */
  readonly variables?: Readonly<Record<string, string>>;
  /** This process's environment, for PATH and `npm_execpath`; default process.env. */
  readonly processEnv?: Readonly<Record<string, string | undefined>>;
}

/** The one folder of a run, and the environment that every terminal gets: nothing of the person's own. */
export interface RunEnvironment {
  readonly folder: string;
  /** Stands for the tutorial's folder: the page's links begin here. */
  readonly work: string;
  /** The learner's folder, where terminals open; while it is not there, in `work`. */
  readonly learner: string;
  /** The shells' own files. */
  readonly terminals: string;
  /** Where the cluster and the terminals' processes record what operators do. */
  readonly activity: string;
  readonly env: Readonly<Record<string, string>>;
  /** Value of the marker variable: finds every process of this run. */
  readonly marker: string;
}

/** A page that calls this gets ours, never one that is installed on the machine. */
const operatorSdk = "operator-sdk";

/** Makes the folder. Throws UserError that names a required program that is not there. */
export function createEnvironment(o: EnvironmentOptions): RunEnvironment {
  const processEnv = o.processEnv ?? process.env;
  const path = processEnv.PATH ?? "";
  const required = new Map<string, string>();
  for (const name of o.requires.filter((one) => one !== operatorSdk)) {
    const found =
      o.tools.get(name) ?? (name === "pnpm" ? findPnpm(processEnv)?.at(-1) : findOnPath(name, path));
    if (found === undefined)
      throw new UserError(
        `${name} is needed for this, and is not on the PATH: install it, then run this again`,
      );
    required.set(name, found);
  }

  const marker = runMarker();
  const parent = realpathSync(o.parent ?? tmpdir());
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

  const learner = join(work, o.project ?? "");
  for (const [name, target] of new Map([...required, ...o.tools, ["node", process.execPath]])) {
    if (name !== "pnpm") symlinkSync(target, join(bin, name));
  }
  const pnpm = findPnpm(processEnv);
  if (pnpm) writeFileSync(join(bin, "pnpm"), shellCommand(pnpm), { mode: 0o755 });
  if (o.requires.includes(operatorSdk))
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
    // A page starts the same programs again and again. Node caches compiled code, in the run's folder by default.
    // kubectl and helm end too soon for Go's garbage collector to pay off.
    NODE_COMPILE_CACHE: processEnv.NODE_COMPILE_CACHE ?? at("compiled"),
    NODE_OPTIONS: makeTrace(activity),
    GOGC: "off",
    GOMEMLIMIT: "256MiB",
    npm_config_update_notifier: "false",
    // The repository's own check would install into its node_modules from a store that is not its own.
    pnpm_config_verify_deps_before_run: "false",
    ...o.variables,
    [runMarkerVariable]: marker,
  };
  return { folder, work, learner, terminals, activity, env, marker };
}

/** Gives the page's shells a kubeconfig of their own: what a page does to it does not reach the original. */
export function giveKubeconfig(environment: RunEnvironment, path: string): void {
  const kubeconfig = environment.env.KUBECONFIG ?? "";
  copyFileSync(path, kubeconfig);
  chmodSync(kubeconfig, 0o600);
}
