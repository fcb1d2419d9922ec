import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Figures, Measure, Task } from "./measurement.ts";
import { type Reach, untilEnd } from "./processes.ts";

/** One task of client-go, in a fresh process. */
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
