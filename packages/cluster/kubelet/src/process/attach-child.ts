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
 * Connects a child of this process, the leader of a process group, to a process of a container: its output,
 * its standard input, its memory limit and its end. When the child ends, its whole group is killed.
 *
 * @param transform changes the output on its way. Default: no change
 * @returns the exit code; 128 + n for signal n
 * @throws Error when the child could not be started
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
  // The group ends with its leader, as with the first process of a PID namespace, and closes the output.
  killGroup();
  ended.abort();
  // From here on, the pid may belong to another process.
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

/** The output of a process, on its way to the container's log and to attached clients. */
export interface Output {
  /** Forwards a pipe until its end, no faster than the reader takes it. */
  forward(from: Readable, to: Take): void;
  /**
   * Call this after the process has ended. Resolves when all output is forwarded.
   *
   * A process that has left the group may still hold the pipes. Forwarding then ends when they have been
   * silent for one second, or after two seconds at the latest.
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
      // The pipe broke because the process has ended.
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
        // On a busy machine, the timer may fire before pending output is read. These turns of the event loop
        // read it.
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
