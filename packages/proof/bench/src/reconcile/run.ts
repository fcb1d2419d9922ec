import { fork, spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { ControlPlane } from "@operator-path/tools";
import { figuresOf, untilEnd } from "../informers/processes.ts";
import { startPlace } from "./cluster.ts";
import type { OperatorFigures } from "./measurement.ts";
import type { Task } from "./plan.ts";
import { subjects } from "./subjects.ts";

export interface RunOptions {
  /** The bundle of ours. */
  readonly operator: string;
  readonly programs: ControlPlane | undefined;
  /** The program of peers/controller-runtime. */
  readonly goPeer: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * What a Node's young generation may take. Node's own default, 32 MiB on a machine of this size, is made for servers whose
 * requests leave more behind than a reconcile does.
 */
export const nodeFlags = ["--max-semi-space-size=4"];

/** One operator in a fresh process, on a fresh cluster. */
export async function runTask(task: Task, options: RunOptions): Promise<OperatorFigures> {
  const { programs, signal } = options;
  const isReal = subjects[task.subject].server === "real";
  signal.throwIfAborted();
  const place = await startPlace(isReal ? programs : undefined, task.objects, signal);
  try {
    const env = { ...process.env, KUBECONFIG: place.kubeconfigPath };
    return await (task.subject === "go" ? runGo(task, env, options) : runOurs(task, env, options));
  } finally {
    await place.stop();
  }
}

/** Minutes, even where the machine has much else to do. */
const patience = ({ objects }: Task): number => 180_000 + objects * 60;
const what = ({ subject, objects, workers }: Task) => `${subject}, ${objects} objects, ${workers} workers`;

async function runGo(
  task: Task,
  env: NodeJS.ProcessEnv,
  { goPeer = "", signal }: RunOptions,
): Promise<OperatorFigures> {
  const { objects, workers } = task;
  const args = Object.entries({ objects, workers, spawned: process.hrtime.bigint() });
  const child = spawn(
    goPeer,
    args.map(([name, value]) => `-${name}=${value}`),
    // Logs are written, and nobody reads them: they are part of the work.
    { env, stdio: ["pipe", "pipe", "ignore"] },
  );
  const [answer] = await Promise.all([
    text(child.stdout),
    untilEnd(child, what(task), signal, patience(task)),
  ]);
  return JSON.parse(answer) as OperatorFigures;
}

async function runOurs(task: Task, env: NodeJS.ProcessEnv, options: RunOptions): Promise<OperatorFigures> {
  const { objects, workers, profile } = task;
  const child = fork(options.operator, [objects, workers, process.hrtime.bigint()].map(String), {
    execArgv: [...nodeFlags, ...(profile ? ["--cpu-prof", `--cpu-prof-dir=${profile}`] : [])],
    env: { ...env, NODE_ENV: "production" },
    stdio: ["ignore", "inherit", "ignore", "ipc"],
  });
  return figuresOf(child, what(task), options.signal, patience(task));
}
