import type { Readable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import type { Clock } from "@operator-path/client";

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
