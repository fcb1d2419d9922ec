import type { ReconcileCause, Request } from "@operator-path/controller-runtime";
import type { SimulatedServer } from "../../server/simulated-server.ts";

export type Outcome = "requeueAfter" | "done" | "error" | "terminal" | "stopped";

export interface ReconcileJudge {
  /** Reconciles that run. */
  readonly active: number;
  /** Of all lives. */
  readonly count: number;
  /** More than any history needs: reconciles follow one another without a wait. */
  readonly isHot: boolean;
  /** Told of each reconcile that begins. Returns how to end that. */
  watch(listener: (key: string, cause: ReconcileCause) => void): () => void;
  begin(request: Request, cause: ReconcileCause): void;
  end(request: Request, outcome: Outcome): void;
  /** The process was killed: nothing of it runs, and nothing is remembered. */
  reset(): void;
}

const most = 20_000;

const plurals: Record<string, string> = { Site: "sites", Deployment: "deployments" };

/** Invariant 10 while everything goes wrong: one reconcile a key. And each comes for a reason that is true. */
export function createReconcileJudge(
  server: SimulatedServer,
  problem: (text: string) => void,
): ReconcileJudge {
  const active = new Set<string>();
  const last = new Map<string, Outcome>();
  const listeners = new Set<(key: string, cause: ReconcileCause) => void>();
  let count = 0;

  function judgeCause(key: string, cause: ReconcileCause): void {
    const { trigger, resource, object, resourceVersion, retries } = cause;
    const wrong = (why: string) =>
      problem(`cause: ${key} is reconciled for ${JSON.stringify(cause)}: ${why}`);
    if (!(cause.count >= 1) || !(cause.queuedFor >= 0) || !(retries >= 0)) wrong("numbers that cannot be");
    const previous = last.get(key);
    if (trigger === "backoff" && previous !== "error") wrong(`it ended with ${previous} before`);
    if (previous === "error" ? retries === 0 : retries > 0)
      wrong(`${retries} failures in a row, and it ended with ${previous}`);
    if (!["initialList", "added", "updated", "deleted", "resync"].includes(trigger)) return;
    const plural = plurals[resource ?? ""];
    if (!plural || !object || !resourceVersion) {
      wrong("no object is named");
      return;
    }
    const isThere = server.revisions
      .between(plural, Number(resourceVersion) - 1, Number(resourceVersion))
      .some((revision) => revision.key === object);
    if (!isThere) wrong("there is no such version of that object");
  }

  return {
    get isHot() {
      return count > most;
    },
    get active() {
      return active.size;
    },
    get count() {
      return count;
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    begin({ namespace, name }, cause) {
      const key = `${namespace}/${name}`;
      if (active.has(key)) problem(`10: ${key} is reconciled twice at a time`);
      active.add(key);
      count++;
      if (count > most) problem(`13: ${most} reconciles, one after the other`);
      judgeCause(key, cause);
      for (const listener of listeners) listener(key, cause);
    },
    end({ namespace, name }, outcome) {
      active.delete(`${namespace}/${name}`);
      last.set(`${namespace}/${name}`, outcome);
    },
    reset() {
      active.clear();
      last.clear();
    },
  };
}
