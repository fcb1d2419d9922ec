import type { ReconcileCause, Request } from "@operator-path/controller-runtime";
import type { SimulatedServer } from "../../server/simulated-server.ts";

export type Outcome = "requeueAfter" | "done" | "error" | "terminal" | "stopped";

export interface ReconcileJudge {
  /** The number of running reconciles. */
  readonly active: number;
  /** The number of reconciles of all processes. */
  readonly count: number;
  /** More than any history needs: then reconciles follow one another without a wait. */
  readonly isHot: boolean;
  /** Called when a reconcile begins. Returns a function to call with its end. */
  watch(listener: (key: string, cause: ReconcileCause) => void): () => void;
  begin(request: Request, cause: ReconcileCause): void;
  end(request: Request, outcome: Outcome): void;
  /** Forgets everything: the process was killed. */
  reset(): void;
}

const most = 20_000;

const plurals: Record<string, string> = { Site: "sites", Deployment: "deployments" };

/** Invariant 10 during faults: one reconcile per key. The reported cause of each reconcile must be true. */
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
    if (!(cause.count >= 1) || !(cause.queuedFor >= 0) || !(retries >= 0)) wrong("impossible numbers");
    const previous = last.get(key);
    if (trigger === "backoff" && previous !== "error") wrong(`it ended with ${previous} before`);
    if (previous === "error" ? retries === 0 : retries > 0)
      wrong(`${retries} failures in a row, and it ended with ${previous}`);
    if (!["initialList", "added", "updated", "deleted", "resync"].includes(trigger)) return;
    const plural = plurals[resource ?? ""];
    if (!plural || !object || !resourceVersion) {
      wrong("it names no object");
      return;
    }
    const isThere = server.revisions
      .between(plural, Number(resourceVersion) - 1, Number(resourceVersion))
      .some((revision) => revision.key === object);
    if (!isThere) wrong("that object never had this version");
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
