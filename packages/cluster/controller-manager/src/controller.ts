import { ApiError, type Client, type Clock, isConflict } from "@operator-path/client";
import { type EventRecorder, runWorkers, type WorkQueue } from "@operator-path/informers";
import type { Informers } from "./informers.ts";

/** What every controller receives. */
export interface ControllerContext {
  client: Client;
  /** The API server's CA certificate, in PEM. */
  caCertificate: string | undefined;
  informers: Informers;
  clock: Clock;
  random: () => number;
  log: Log;
  /**
   * Returns the recorder for a component's Events. Each component has one, flushed when the manager stops.
   */
  recorder(component: string): EventRecorder;
}

export type Log = (message: string) => void;

/** A loop that moves the cluster towards its desired state until its signal aborts. */
export interface Controller {
  name: string;
  /** Resolves when the signal has aborted and the reconciles in progress have ended. Never rejects. */
  run(signal: AbortSignal): Promise<void>;
}

interface ControllerOptions {
  name: string;
  queue: WorkQueue<string>;
  /** Keys reconciled in parallel. The same key is never reconciled twice at once. */
  workers: number;
  /**
   * Compares one key's actual and desired state, and does what is missing. A throw requeues the key with
   * backoff and logs the error. "requeue" requeues it with backoff and logs nothing: it is too early, but
   * nothing is wrong.
   */
  reconcile: (key: string, signal: AbortSignal) => Promise<undefined | "requeue"> | Promise<void>;
}

/**
 * The loop that all controllers share: take a key, reconcile it, and requeue it with backoff on failure. No
 * failure is final, because the next reconcile reads the state again. A repeated error of a key is logged
 * once.
 */
export function runController({ log }: ControllerContext, options: ControllerOptions): Controller {
  const { name, queue, workers, reconcile } = options;
  /** The last error logged for each failing key. */
  const logged = new Map<string, string>();
  return {
    name,
    run: (signal) => runWorkers(queue, { workers, process, onError }, signal),
  };

  async function process(key: string, signal: AbortSignal): Promise<void> {
    try {
      const result = await reconcile(key, signal);
      logged.delete(key);
      if (result === "requeue") throw new TooEarly();
    } catch (error) {
      // A terminating namespace accepts no new objects. The owner will be deleted with it.
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  function onError(error: unknown, key: string): void {
    // Conflicts are routine: the cache was behind.
    if (error instanceof TooEarly || isConflict(error)) return;
    const message = error instanceof Error ? error.message : String(error);
    if (logged.get(key) === message) return;
    logged.set(key, message);
    log(`${name}: ${key}: ${message}; retrying with backoff`);
  }
}

class TooEarly extends Error {}

/** Whether the API server rejected a create because the namespace is being deleted. */
export function isNamespaceTerminating(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.status.details?.causes?.some(({ reason }) => reason === "NamespaceTerminating") ?? false;
}

/** Returns an error's message, for Events, conditions and logs. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
