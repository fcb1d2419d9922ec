import { type ChildProcess, spawn } from "node:child_process";
import { mkdir, open, readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { PodSecurityLevel } from "@operator-path/apiserver";
import { type ControlPlane, userDirectories } from "@operator-path/tools";
import type { NodePlan } from "../node-plan.ts";
import { UserError } from "../user-error.ts";

/** A cluster process that has answered. */
interface Launched {
  readonly child: ChildProcess & { readonly pid: number };
  readonly answer: Exclude<StartAnswer, { type: "failed" }>;
}

/** What the cluster's process says goes here, inside the order's directory. */
export const logName = "cluster.log";

/**
 * Starts the process and waits for its answer. It is the leader of a session of its own, so that a Ctrl+C in the
 * terminal reaches the parent only, which then decides. Throws what the child threw, or, when it ends without an
 * answer, an error with the last lines of its log.
 */
export async function launch(order: StartOrder): Promise<Launched> {
  const ending = extname(import.meta.url);
  if (ending === ".ts" && !process.features.typescript) {
    throw new UserError(
      `Node ${process.versions.node} cannot run it: use pnpm's scripts, which bring their own Node`,
    );
  }
  await mkdir(order.directory, { recursive: true, mode: 0o700 });
  const logFile = join(order.directory, logName);
  await using log = await open(logFile, "a", 0o600);
  const main = fileURLToPath(new URL(`main${ending}`, import.meta.url));
  // From sources: type stripping is Node's own, and the condition makes the other packages resolve to theirs as well.
  const flags = ending === ".ts" ? ["--conditions=@operator-path/source"] : [];
  const child = spawn(process.execPath, [...flags, main], {
    cwd: order.directory,
    detached: true,
    env: { NODE_COMPILE_CACHE: join(userDirectories().cache, "compiled"), ...scrubbed(process.env) },
    stdio: ["ignore", log.fd, log.fd, "ipc"],
  });
  const answer = await new Promise<StartAnswer>((resolve, reject) => {
    child.once("error", reject);
    child.once("message", (message) => resolve(message as StartAnswer));
    child.once("exit", (code, signal) => void endedEarly(logFile, code ?? signal).then(reject));
    child.send(order, (error) => error && reject(error));
  });
  if (answer.type !== "failed") return { child: child as Launched["child"], answer };
  throw answer.expected ? new UserError(answer.message) : new Error(answer.message);
}

/** A process that may stay for days holds none of the secrets that happen to be in its parent's environment. */
function scrubbed(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(env).filter(([name]) =>
    /^(PATH|HOME|TMPDIR|LANG|LC_.*|XDG_.*|NODE_COMPILE_CACHE|OPERATOR_PATH_FENCE)$/.test(name),
  );
  return Object.fromEntries(kept);
}

async function endedEarly(logFile: string, why: number | string | null): Promise<Error> {
  const log = await readFile(logFile, "utf8").catch(() => "");
  const tail = log.trimEnd().split("\n").slice(-20).join("\n");
  return new Error(
    `the cluster's process ended while starting (${why})${tail && `; its log ends with\n${tail}`}`,
  );
}

/** What the parent tells the child over IPC, once. All of it is plain JSON. */
export interface StartOrder {
  readonly name: string;
  readonly directory: string;
  readonly port: number;
  readonly nodes: readonly NodePlan[];
  /** The Pod Security level that a namespace without a label enforces, kube-system excepted. Default: `privileged`. */
  readonly podSecurity?: PodSecurityLevel;
  /** Folder for the record of what clients and Pods do. */
  readonly activity?: string;
  /** Runs a real control plane instead of ours. */
  readonly envtest?: EnvtestOrder;
  /**
   * true: the IPC channel is the child's lifeline, it stops when the channel closes, however its parent died.
   * false: once it is ready the child stays when its parent goes, and is found through the state file.
   */
  readonly lifeline: boolean;
}

/** A real control plane: its programs were found, perhaps built, where somebody could see the progress. */
export interface EnvtestOrder {
  readonly programs: ControlPlane;
  readonly controllers: "real" | "ours";
}

/** What the child answers, once. */
export type StartAnswer =
  | { readonly type: "ready"; readonly kubeconfigPath: string; readonly url: string }
  /** A cluster of this name is there, or is just being started, by another process. */
  | { readonly type: "taken" }
  /** `expected`: a UserError; its message is enough. */
  | { readonly type: "failed"; readonly message: string; readonly expected: boolean };
