import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "@operator-path/client";
import type { ProcessContext } from "../runtime/contracts.ts";
import { sendSignal } from "./boundary/start-process.ts";
import { endFirst, watchMemory } from "./limits.ts";
import type { ProcessHost } from "./process-host.ts";

/**
 * Joins a child of this process, leader of a process group, to the process of a container: its output, its standard input,
 * and its end, which is that of the whole group, and comes with the cluster's at the latest.
 *
 * @param transform what becomes of its output on the way
 * @returns its exit code; 128 + n for signal n
 * @throws when it could not be started
 */
export async function attachChild(
  child: ChildProcess,
  context: ProcessContext,
  { supervisor }: Pick<ProcessHost, "supervisor">,
  transform: (chunk: Uint8Array, stream: "stdout" | "stderr") => Uint8Array = (chunk) => chunk,
): Promise<number> {
  const { pid } = child;
  if (pid === undefined) {
    const [error] = await once(child, "error");
    throw error;
  }
  const release = supervisor.watch(pid);
  endFirst(pid);
  child.on("error", () => {});
  const killGroup = () => sendSignal(-pid, "SIGKILL");
  const limit = context.container.config.memoryLimit;
  const ended = new AbortController();
  const exceeded = () => {
    context.process.endedBy = "OOMKilled";
    killGroup();
  };
  if (limit !== undefined)
    void watchMemory({ pid, limit, clock: context.clock, signal: ended.signal, exceeded });
  context.signal.addEventListener("abort", killGroup, { once: true });
  if (context.signal.aborted) killGroup();
  const output = createOutput();
  output.forward(child.stdout as Readable, (chunk) => context.stdout(transform(chunk, "stdout")));
  output.forward(child.stderr as Readable, (chunk) => context.stderr(transform(chunk, "stderr")));
  if (context.stdin) void feed(context, child.stdin as NodeJS.WritableStream);
  const [code, by] = (await once(child, "exit")) as [number | null, NodeJS.Signals | null];
  // Its children end with it, as they do with the first process of a PID namespace, and let go of its output.
  killGroup();
  ended.abort();
  // The number may be another's from here on.
  context.signal.removeEventListener("abort", killGroup);
  release();
  await output.ended(context.clock);
  return code ?? 128 + (by === null ? 0 : constants.signals[by]);
}

async function feed(context: ProcessContext, to: NodeJS.WritableStream): Promise<void> {
  to.on("error", () => {});
  for await (const chunk of context.stdin ?? []) {
    if (!to.write(chunk)) await Promise.race([once(to, "drain"), once(to, "close")]).catch(() => {});
  }
  to.end();
}

type Take = (chunk: Uint8Array) => void | Promise<void>;

/** What a process says, on its way to the container's log and whoever is attached. */
export interface Output {
  /** Passes on what a pipe brings, until its end, no faster than it is taken. */
  forward(from: Readable, to: Take): void;
  /**
   * After the process's end: resolves when everything has been passed on. A process that has left the group may still hold
   * the pipes: when they have been silent for a second that is the end as well, and after two whatever is said.
   */
  ended(clock: Clock): Promise<void>;
}

const silenceMs = 1000;
const rounds = 2;

export function createOutput(): Output {
  const pipes: Promise<void>[] = [];
  const sources: Readable[] = [];
  let chunks = 0;
  let beingTaken = 0;

  async function pump(from: Readable, to: Take): Promise<void> {
    try {
      for await (const chunk of from) {
        chunks++;
        beingTaken++;
        await to(chunk as Uint8Array);
        beingTaken--;
      }
    } catch {
      // The pipe broke: the process is gone.
    }
  }

  return {
    forward(from, to) {
      sources.push(from);
      pipes.push(pump(from, to));
    },
    async ended(clock) {
      const read = new AbortController();
      void Promise.all(pipes).then(() => read.abort());
      for (let round = 1; ; round++) {
        const seen = chunks;
        await clock.sleep(silenceMs, read.signal).catch(() => undefined);
        // On a busy machine the timer may come before what lies in the pipes; these turns of the loop read that.
        await setImmediate();
        await setImmediate();
        if (read.signal.aborted) return;
        if (beingTaken > 0 || (chunks !== seen && round < rounds)) continue;
        for (const source of sources) source.destroy();
        return;
      }
    },
  };
}
