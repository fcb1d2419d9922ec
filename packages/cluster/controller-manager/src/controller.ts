import { ApiError, type Client, type Clock, isConflict } from "@operator-path/client";
import { type EventRecorder, runWorkers, type WorkQueue } from "@operator-path/informers";
import type { Informers } from "./informers.ts";

/** What every controller is given. */
export interface ControllerContext {
  client: Client;
  /** The API server's, PEM. */
  caCertificate: string | undefined;
  informers: Informers;
  clock: Clock;
  random: () => number;
  log: Log;
  /** The recorder of a component's Events: one for each name, flushed when everything stops. */
  recorder(component: string): EventRecorder;
}

export type Log = (message: string) => void;

/** A loop that brings the world closer to what is written down, until its signal aborts. */
export interface Controller {
  name: string;
  /** Resolves when the signal has aborted and the reconciles under way have ended. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

interface ControllerOptions {
  name: string;
  queue: WorkQueue<string>;
  /** Keys reconciled at the same time, never the same one twice. */
  workers: number;
  /**
   * Looks at one key, and does what is missing. When it throws, it is called again, later and later; so it is when it
   * resolves with "requeue", but without a line in the log: nothing is wrong, it is only too early.
   */
  reconcile: (key: string, signal: AbortSignal) => Promise<undefined | "requeue"> | Promise<void>;
}

/**
 * The loop that all controllers share: take a key, reconcile it, and put it back with a growing delay if that failed. A
 * failure is never final: the next reconcile looks at the world anew. The log hears of it once, until it changes.
 */
export function runController({ log }: ControllerContext, options: ControllerOptions): Controller {
  const { name, queue, workers, reconcile } = options;
  /** What was last told about a key that fails. */
  const told = new Map<string, string>();
  return {
    name,
    run: (signal) => runWorkers(queue, { workers, process, onError }, signal),
  };

  async function process(key: string, signal: AbortSignal): Promise<void> {
    try {
      const result = await reconcile(key, signal);
      told.delete(key);
      if (result === "requeue") throw new TooEarly();
    } catch (error) {
      // Nothing can be created in a namespace that is going away: what wanted to will be deleted with it.
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  function onError(error: unknown, key: string): void {
    // A conflict says that the cache was behind: the usual way to find out.
    if (error instanceof TooEarly || isConflict(error)) return;
    const message = error instanceof Error ? error.message : String(error);
    if (told.get(key) === message) return;
    told.set(key, message);
    log(`${name}: ${key}: ${message}; trying again, later and later`);
  }
}

class TooEarly extends Error {}

/** Whether the API server refused to create something because its namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") ?? false;
}

/** What an error says, for Events, conditions and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
