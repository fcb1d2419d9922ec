import type { Client, Clock } from "@operator-path/client";
import type { Access, ClusterFaults } from "@operator-path/cluster";
import type { ClusterModel } from "@operator-path/ui";
import type { Terminals } from "../terminals.ts";

/** What a fault acts on, and what it reports. */
export interface FaultTarget {
  readonly terminals: Pick<Terminals, "find">;
  readonly client: Client;
  readonly model: Pick<ClusterModel, "record" | "subscribe" | "versionOf">;
  /** Undefined: the cluster is not the session's own. */
  readonly faults: ClusterFaults | undefined;
  /** For `refuse-writes`. Default: all writes. */
  readonly access: Access | undefined;
  readonly clock: Clock;
  /** Aborts when the learner ends the fault, or causes the next one. */
  readonly signal: AbortSignal;
  /** Replaces what has been seen of the fault. */
  show(seen: readonly string[]): void;
  /** Reports that a fault that lasts is over. @param text what the report says from now on */
  over(text: string): void;
}

export interface Caused {
  readonly ok: boolean;
  /** What has happened, and what to look at now. */
  readonly text: string;
  /** Ends a fault that lasts. */
  end?(): Promise<void>;
}

/** A mishap that the learner causes on purpose, to see what the operator makes of it. */
export interface Fault {
  readonly name: "kill-operator" | "break-watch" | "refuse-writes" | "take-lease";
  readonly title: string;
  readonly description: string;
  /** Whether it acts in the API server, and so only on the session's own cluster. */
  readonly inServer: boolean;
  /** Returns why it would change nothing now, or undefined. */
  whyNot?(target: Pick<FaultTarget, "terminals" | "client" | "faults">): Promise<string | undefined>;
  cause(target: FaultTarget): Promise<Caused>;
}
