import type { Fault, Target } from "../transport/fault.ts";
import type { Break } from "../transport/faulty-stream.ts";
import type { Pieces } from "../transport/pieces.ts";

/** `changed`: receives changes without objects, and reads some of the objects. */
export type HandlerKind = "sync" | "slow" | "throwing" | "rejecting" | "changed";

/** One step of a history. All of it is data: it can be printed, replayed and left out. */
export type Step =
  | { do: "write"; op: "put" | "status" | "delete" | "recreate" | "label"; object: number; value: number }
  | { do: "wait"; ms: number }
  | { do: "compact" }
  | { do: "bookmark" }
  /** Other clients write to resources that are not watched. */
  | { do: "skip"; versions: number }
  | { do: "fault"; on: Target; fault: Fault; times?: number }
  | { do: "break"; break: Break }
  | { do: "lag"; replica: number }
  | { do: "catch up"; replica: number }
  | { do: "add handler"; kind: HandlerKind }
  | { do: "remove handler"; index: number };

export interface Scenario {
  /** Custom resources have another field order on the wire. */
  custom: boolean;
  labelSelector?: string;
  namespace?: string;
  store: "parsed" | "lazy" | "metadata";
  managedFields: boolean;
  watchList: "offered" | "refused" | "ignored" | "not asked for";
  replicas: number;
  /** Every continue token is too old. */
  expireTokens: boolean;
  pageSize: number;
  pieces: Pieces;
  /** Streams are Node streams, like those of a real response. */
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
