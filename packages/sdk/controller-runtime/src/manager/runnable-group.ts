import type { Runnable } from "./runnable.ts";

export interface RunnableGroupOptions {
  name: string;
  /** A runnable has failed. */
  onFailure(error: unknown, runnable: Runnable): void;
}

/** Runnables that start and stop together (Go: runnableGroup). */
export interface RunnableGroup {
  readonly name: string;
  /** Started at once when the group runs. @throws Error when the group has stopped */
  add(runnable: Runnable): void;
  /** Resolves when all that are there are ready. With a signal of one's own, that is what the runnables get. */
  start(signal?: AbortSignal): Promise<void>;
  /** Tells all of them, and resolves when they have ended. */
  stop(reason: unknown): Promise<void>;
  /** Names of those that have not ended. */
  running(): string[];
}

export function createRunnableGroup({ name, onFailure }: RunnableGroupOptions): RunnableGroup {
  const stopping = new AbortController();
  const waiting: Runnable[] = [];
  const running = new Map<Runnable, Promise<void>>();
  let lifetime: AbortSignal | undefined;

  async function run(runnable: Runnable, signal: AbortSignal): Promise<void> {
    try {
      // Not inside the call that started it, so that one that throws at once fails like any other.
      await Promise.resolve();
      await runnable.start(signal);
    } catch (error) {
      onFailure(error, runnable);
    } finally {
      running.delete(runnable);
    }
  }

  async function startOne(runnable: Runnable, signal: AbortSignal): Promise<void> {
    running.set(runnable, run(runnable, signal));
    try {
      await runnable.ready?.(signal);
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
  }

  return {
    name,
    add(runnable) {
      if (stopping.signal.aborted) {
        throw new Error(`the manager stops: nothing can be added to its ${name} any more`);
      }
      if (!lifetime) waiting.push(runnable);
      else startOne(runnable, lifetime).catch((error: unknown) => onFailure(error, runnable));
    },
    async start(signal) {
      if (stopping.signal.aborted) return;
      const own = signal ?? stopping.signal;
      lifetime = own;
      await Promise.all(waiting.splice(0).map((runnable) => startOne(runnable, own)));
    },
    async stop(reason) {
      stopping.abort(reason);
      while (running.size > 0) await Promise.all(running.values());
    },
    running: () => [...running.keys()].map((runnable) => runnable.name ?? "a runnable without a name"),
  };
}
