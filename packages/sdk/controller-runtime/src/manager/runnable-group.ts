import type { Runnable } from "./runnable.ts";

export interface RunnableGroupOptions {
  name: string;
  /** Called when a runnable has failed. */
  onFailure(error: unknown, runnable: Runnable): void;
}

/** Runnables that start and stop together. Go: runnableGroup. */
export interface RunnableGroup {
  readonly name: string;
  /**
   * Adds a runnable. Starts it at once when the group runs.
   *
   * @throws Error when the group has stopped
   */
  add(runnable: Runnable): void;
  /**
   * Starts all runnables and resolves when they are ready. They receive the given signal, or the group's own.
   */
  start(signal?: AbortSignal): Promise<void>;
  /** Aborts all runnables and resolves when they have ended. */
  stop(reason: unknown): Promise<void>;
  /** Returns the names of runnables that have not ended. */
  running(): string[];
}

export function createRunnableGroup({ name, onFailure }: RunnableGroupOptions): RunnableGroup {
  const stopping = new AbortController();
  const waiting: Runnable[] = [];
  const running = new Map<Runnable, Promise<void>>();
  let lifetime: AbortSignal | undefined;

  async function run(runnable: Runnable, signal: AbortSignal): Promise<void> {
    try {
      // Starts asynchronously, so that a synchronous throw is handled like any other failure.
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
        throw new Error(`the manager is stopping: nothing can be added to its ${name}`);
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
