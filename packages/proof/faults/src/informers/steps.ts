import type { Fault, Target } from "../transport/fault.ts";
import type { Break } from "../transport/faulty-stream.ts";
import type { Pieces } from "../transport/pieces.ts";

/** `changed`: told of changes without the objects, looks at some of them. */
export type HandlerKind = "sync" | "slow" | "throwing" | "rejecting" | "changed";

/** What happens in a history, one after the other. All of it is data: printed, replayed, left out one by one. */
export type Step =
  | { do: "write"; op: "put" | "status" | "delete" | "recreate" | "label"; object: number; value: number }
  | { do: "wait"; ms: number }
  | { do: "compact" }
  | { do: "bookmark" }
  /** Others write to what is not watched. */
  | { do: "skip"; versions: number }
  | { do: "fault"; on: Target; fault: Fault; times?: number }
  | { do: "break"; break: Break }
  | { do: "lag"; replica: number }
  | { do: "catch up"; replica: number }
  | { do: "add handler"; kind: HandlerKind }
  | { do: "remove handler"; index: number };

export interface Scenario {
  /** Custom resources are encoded in another order. */
  custom: boolean;
  labelSelector?: string;
  namespace?: string;
  store: "parsed" | "lazy" | "metadata";
  managedFields: boolean;
  watchList: "offered" | "refused" | "ignored" | "not asked for";
  replicas: number;
  /** No list gets past its first page. */
  expireTokens: boolean;
  pageSize: number;
  pieces: Pieces;
  /** Streams are Node's, as of a real response. */
  nodeStreams: boolean;
  resyncMs?: number;
  handlers: HandlerKind[];
  /** Workers that write a mirror of the cache through the same network; 0: none. */
  workers: number;
}

export interface History {
  seed: number;
  scenario: Scenario;
  steps: Step[];
}
