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

/** The file in the order's directory with the output of the cluster's process. */
export const logName = "cluster.log";

/**
 * Starts the process and waits for its answer. The process leads its own session, so a Ctrl+C in the terminal
 * reaches only the parent, which then decides. Throws the child's error. If the child ends without an answer,
 * throws an error with the last lines of its log.
 */
export async function launch(order: StartOrder): Promise<Launched> {
  const ending = extname(import.meta.url);
  if (ending === ".ts" && !process.features.typescript) {
    throw new UserError(
      `Node ${process.versions.node} cannot run the cluster's TypeScript sources: use pnpm's scripts, which bring their own Node`,
    );
  }
  await mkdir(order.directory, { recursive: true, mode: 0o700 });
  const logFile = join(order.directory, logName);
  await using log = await open(logFile, "a", 0o600);
  const main = fileURLToPath(new URL(`main${ending}`, import.meta.url));
  // To run from sources, Node strips the types, and the condition makes the other packages resolve to their
  // sources as well.
  const fromSources = ending === ".ts" ? ["--conditions=@operator-path/source"] : [];
  const child = spawn(process.execPath, [youngHeap, ...fromSources, main], {
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

/**
 * V8 lets the heap of young objects grow from 1 MB to 16 MB, and collects garbage often until then. A cluster has as
 * much from its first list on.
 */
const youngHeap = "--min-semi-space-size=16";

/** Removes secrets from the environment, because the process may run for days. */
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

/** The one message from parent to child over IPC, in plain JSON. */
export interface StartOrder {
  readonly name: string;
  readonly directory: string;
  readonly port: number;
  readonly nodes: readonly NodePlan[];
  /**
   * The Pod Security level that a namespace without a label enforces, except kube-system. Default:
   * `privileged`.
   */
  readonly podSecurity?: PodSecurityLevel;
  /** Folder for the record of what clients and Pods do. */
  readonly activity?: string;
  /** Runs a real control plane instead of ours. */
  readonly envtest?: EnvtestOrder;
  /**
   * true: the child stops when the IPC channel closes, however its parent ended. false: once it is ready, the
   * child outlives its parent, and is found through its record.
   */
  readonly lifeline: boolean;
}

/** A real control plane. The parent has found or built its programs, where the user can see the progress. */
export interface EnvtestOrder {
  readonly programs: ControlPlane;
  readonly controllers: "real" | "ours";
}

/** The child's one answer. */
export type StartAnswer =
  | { readonly type: "ready"; readonly kubeconfigPath: string; readonly url: string }
  /** Another process is or starts a cluster of this name. */
  | { readonly type: "taken" }
  /** `expected`: a UserError, whose message is enough. */
  | { readonly type: "failed"; readonly message: string; readonly expected: boolean };
