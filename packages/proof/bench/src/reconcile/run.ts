import { fork, spawn } from "node:child_process";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { ControlPlane } from "@operator-path/tools";
import { build } from "esbuild";
import { figuresOf, untilEnd } from "../informers/processes.ts";
import { startPlace } from "./cluster.ts";
import type { OperatorFigures } from "./measurement.ts";
import { subjects, type Task } from "./plan.ts";

export interface RunOptions {
  /** The bundle of our operator. */
  readonly operator: string;
  readonly programs: ControlPlane | undefined;
  /** The program of peers/controller-runtime. */
  readonly goPeer: string | undefined;
  readonly signal: AbortSignal;
}

/**
 * The limit of a Node's young generation. Node's default, 32 MiB on a machine of this size, suits servers
 * whose requests leave more garbage than a reconcile does.
 */
export const nodeFlags = ["--max-semi-space-size=4"];

/** Runs one operator in a fresh process, on a fresh cluster. */
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

/** Minutes, even on a busy machine. */
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
    // Logs are part of the work, so they are written to a pipe that is not read.
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

/**
 * Bundles the operator of this bench like one for an image. Resolves to the file to run. `splitting` puts
 * dynamic imports (for proxies, for OIDC issuers) into files of their own, which most operators never read.
 */
export async function bundleOperator(folder: string): Promise<string> {
  await build({
    entryPoints: { operator: fileURLToPath(new URL("operator/main.ts", import.meta.url)) },
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    ...{ bundle: true, splitting: true, platform: "node", format: "esm", logLevel: "error" },
    conditions: ["@operator-path/source"],
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  return join(folder, "operator.mjs");
}
