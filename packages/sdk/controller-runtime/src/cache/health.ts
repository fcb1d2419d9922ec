import type { Resource } from "@operator-path/client";
import type { InformerHealth } from "@operator-path/informers";

export interface ResourceHealth extends InformerHealth {
  readonly resource: Resource;
  /** Of the informers of several namespaces; "" is all of them. */
  readonly namespace: string;
  /** Milliseconds since the server was last heard of; since the start, before it has been. */
  readonly silentFor: number;
  /** Not synced, or silent for longer than `staleAfter`; unless the server answers that it has no such kind. */
  readonly stale: boolean;
}

export interface CacheHealth {
  /** No informer is stale. */
  readonly healthy: boolean;
  readonly informers: readonly ResourceHealth[];
}
