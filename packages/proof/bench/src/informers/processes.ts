import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Figures, Measure, Task } from "./measurement.ts";
import type { ResourceName } from "./server/recording.ts";

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const execArgv = ["--conditions=@operator-path/source"];

/** Makes a recording in another process: it keeps a processor busy for seconds. */
export async function record(
  file: string,
  resource: ResourceName,
  count: number,
  signal: AbortSignal,
): Promise<void> {
  const child = fork(fileOf("server/serve.ts"), ["record", file, resource, String(count)], { execArgv });
  await untilEnd(child, `recording ${count} ${resource}`, signal);
}

/** The address of a server. */
export interface Reach {
  /** A folder for temporary files. */
  readonly folder: string;
  readonly url: string;
  /** A kubeconfig with the same address. */
  readonly kubeconfig: string;
}

/** Runs `use` with a new server. */
export async function withServer<T>(
  {
    folder,
    file,
    resource,
    objects,
  }: { folder: string; file: string; resource: ResourceName; objects: number },
  signal: AbortSignal,
  use: (reach: Reach) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const child = fork(fileOf("server/serve.ts"), ["serve", file, resource, String(objects)], { execArgv });
  try {
    const ended = once(child, "exit").then(() => {
      throw signal.aborted ? signal.reason : new Error(`the recorded server of ${resource} ended`);
    });
    const [{ port }] = await Promise.race([once(child, "message", { signal }), ended]);
    const reach = { folder, url: `http://127.0.0.1:${port}`, kubeconfig: join(folder, "kubeconfig") };
    await writeFile(reach.kubeconfig, kubeconfigOf(reach.url));
    return await Promise.race([use(reach), ended]);
  } finally {
    await kill(child);
  }
}

/** Node's compile cache: without it, each process would load a TypeScript compiler first. */
const compiled = (folder: string): NodeJS.ProcessEnv => ({ NODE_COMPILE_CACHE: join(folder, "compiled") });

/** Loads the modules of a subject once, so that no measurement is the first to do so. */
export async function preload(folder: string, subject: string, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const env = { ...process.env, ...compiled(folder) };
  const child = fork(fileOf("child/main.ts"), [subject], { execArgv, env });
  await untilEnd(child, `loading ${subject}`, signal);
}

/** Runs one task of a subject on Node in a fresh process. */
export async function runNode<M extends Measure>(
  task: Task<M>,
  { folder, url, kubeconfig }: Reach,
  signal: AbortSignal,
): Promise<Figures[M]> {
  const child = fork(fileOf("child/main.ts"), [task.subject, url, JSON.stringify(task)], {
    execArgv: [...execArgv, "--expose-gc"],
    env: { ...process.env, ...compiled(folder), NODE_ENV: "production", KUBECONFIG: kubeconfig },
  });
  return figuresOf(child, `${task.measure} of ${task.subject}`, signal);
}

/**
 * Resolves to the message that a process sends to its parent before it ends. @param patience see `untilEnd`
 */
export async function figuresOf<F>(
  child: ChildProcess,
  what: string,
  signal: AbortSignal,
  patience?: number,
): Promise<F> {
  let figures: F | undefined;
  child.once("message", (message) => {
    figures = message as F;
  });
  await untilEnd(child, what, signal, patience);
  if (figures === undefined) throw new Error(`${what} ended without figures`);
  return figures;
}

/**
 * Resolves when the process has exited with status 0. The process does not outlive the signal.
 *
 * @param patience the time limit in milliseconds
 */
export async function untilEnd(
  child: ChildProcess,
  what: string,
  signal: AbortSignal,
  patience = 180_000,
): Promise<void> {
  const late = AbortSignal.timeout(patience);
  const stop = AbortSignal.any([signal, late]);
  try {
    const [code] = await once(child, "exit", { signal: stop });
    if (code !== 0) throw new Error(`${what} ended with ${code ?? child.signalCode}`);
  } catch (error) {
    signal.throwIfAborted();
    throw late.aborted ? new Error(`${what} took longer than ${patience / 1_000} s`) : error;
  } finally {
    await kill(child);
  }
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

function kubeconfigOf(server: string): string {
  const cluster = { server, "insecure-skip-tls-verify": true };
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "bench", cluster }],
    users: [{ name: "bench", user: {} }],
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    "current-context": "bench",
  });
}

/** Runs one task of client-go in a fresh process. */
export async function runGo<M extends Measure>(
  program: string,
  task: Task<M>,
  { kubeconfig }: Reach,
  signal: AbortSignal,
): Promise<Figures[M]> {
  const { measure, resource, objects, events, subject } = task;
  const args = Object.entries({ measure, resource, objects, events }).map(
    ([name, value]) => `-${name}=${value}`,
  );
  const child = spawn(program, args, {
    env: {
      ...process.env,
      KUBECONFIG: kubeconfig,
      KUBE_FEATURE_WatchListClient: String(subject === "client-go-watchlist"),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const [answer] = await Promise.all([
    text(child.stdout),
    untilEnd(child, `${measure} of ${subject}`, signal),
  ]);
  return JSON.parse(answer) as Figures[M];
}
