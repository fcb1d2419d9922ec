import type { Fault, Target } from "../transport/fault.ts";
import type { CrashPoint } from "./life.ts";

/** The start of a history: the construction of the operator, and the server. */
export interface Scenario {
  workers: number;
  /** Writes are merge patches instead of updates of whole objects. */
  patches: boolean;
  priorityQueue: boolean;
  leaderElection: boolean;
  warmup: boolean;
  /** How a change of the Deployment becomes a request. */
  children: "owns" | "watches" | "mapped";
  /** Only changes of a site's generation, labels or annotations pass. */
  predicates: boolean;
  store: "parsed" | "lazy";
  /** One watch for all namespaces, or one for each. */
  namespaces: "all" | "each";
  /** The reconciler passes its signal to everything that it waits for. */
  heedsSignal: boolean;
  /** Milliseconds; undefined: no timeout. */
  timeout: number | undefined;
  /** Milliseconds after which the reconciler checks again. */
  period: number;
  watchList: "offered" | "refused" | "ignored";
  replicas: number;
  collectAfter: number;
}

/** Sites are numbers: indexes into `names`. */
export type Step =
  | { do: "wait"; ms: number }
  /** A user creates a site, or changes its size. */
  | { do: "put"; site: number; size: number }
  | { do: "delete"; site: number }
  /** Another client labels the site, or writes nonsense into its status. */
  | { do: "label"; site: number }
  | { do: "nonsense"; site: number }
  /** Another client adds or removes its finalizer. */
  | { do: "hold"; site: number }
  | { do: "release"; site: number }
  /** Another client changes the Deployment: its own fields, or the operator's. */
  | { do: "annotate child"; site: number }
  | { do: "drift child"; site: number; replicas: number }
  | { do: "delete child"; site: number }
  /** A Deployment of that name with another controller, or without one; and its deletion. */
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
  /** The process ends at an effect, and restarts after `down` milliseconds with an empty memory. */
  | { do: "crash"; point: CrashPoint; down: number }
  | { do: "kill"; down: number }
  /** SIGTERM, and the next process. */
  | { do: "restart"; down: number }
  /** A source other than a watch requests a reconcile of the site. */
  | { do: "poke"; site: number };

export interface History {
  seed: number | string;
  scenario: Scenario;
  steps: Step[];
}

/** Two namespaces with the same names. */
export const names = ["a/one", "a/two", "b/one", "b/two"].map((key) => {
  const [namespace = "", name = ""] = key.split("/");
  return { key, namespace, name };
});

export function siteAt(index: number): (typeof names)[number] {
  return names[index % names.length] as (typeof names)[number];
}
