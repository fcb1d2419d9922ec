import type { Fault, Target } from "../transport/fault.ts";
import type { CrashPoint } from "./life.ts";

/** What a history begins with: how the operator is built, and what the server is like. */
export interface Scenario {
  workers: number;
  /** Writes are merge patches; otherwise updates of whole objects. */
  patches: boolean;
  priorityQueue: boolean;
  leaderElection: boolean;
  warmup: boolean;
  /** How a change of the Deployment becomes a request. */
  children: "owns" | "watches" | "mapped";
  /** Sites pass only when their generation, labels or annotations have changed. */
  predicates: boolean;
  store: "parsed" | "lazy";
  /** One watch for all namespaces, or one for each. */
  namespaces: "all" | "each";
  /** The reconciler gives its signal to all that it waits for. */
  heedsSignal: boolean;
  /** Milliseconds; undefined: none. */
  timeout: number | undefined;
  /** Milliseconds after which the reconciler looks again. */
  period: number;
  watchList: "offered" | "refused" | "ignored";
  replicas: number;
  collectAfter: number;
}

/** Sites are numbers: `names` says which. */
export type Step =
  | { do: "wait"; ms: number }
  /** A user creates a site, or gives it another size. */
  | { do: "put"; site: number; size: number }
  | { do: "delete"; site: number }
  /** Somebody labels the site, or writes nonsense into its status. */
  | { do: "label"; site: number }
  | { do: "nonsense"; site: number }
  /** Somebody else's finalizer, put there or taken away. */
  | { do: "hold"; site: number }
  | { do: "release"; site: number }
  /** Somebody else changes the Deployment: fields that are not the operator's, or the one that is. */
  | { do: "annotate child"; site: number }
  | { do: "drift child"; site: number; replicas: number }
  | { do: "delete child"; site: number }
  /** A Deployment of that name that belongs to somebody else, or to nobody; and its end. */
  | { do: "take name"; site: number; controller: boolean }
  | { do: "free name"; site: number }
  | { do: "drift record"; site: number; size: number | undefined }
  | { do: "fault"; target: Target; fault: Fault; times: number }
  | { do: "break streams"; how: "reset" | "close" }
  | { do: "lag"; replica: number }
  | { do: "catch up"; replica: number }
  | { do: "compact" }
  | { do: "outside fails"; times: number; when: "before" | "after" }
  | { do: "outside is late"; ms: number }
  /** The process ends at an effect, and begins anew after `down` milliseconds, with nothing in its memory. */
  | { do: "crash"; point: CrashPoint; down: number }
  | { do: "kill"; down: number }
  /** SIGTERM, and the next process. */
  | { do: "restart"; down: number }
  /** Something that is no watch says that the site may need a look. */
  | { do: "poke"; site: number };

export interface History {
  seed: number | string;
  scenario: Scenario;
  steps: Step[];
}

/** Two namespaces, the same names in both. */
export const names = ["a/one", "a/two", "b/one", "b/two"].map((key) => {
  const [namespace = "", name = ""] = key.split("/");
  return { key, namespace, name };
});

export function siteAt(index: number): (typeof names)[number] {
  return names[index % names.length] as (typeof names)[number];
}
