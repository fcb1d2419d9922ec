import type { Resource } from "@operator-path/client";
import type { InformerHealth } from "@operator-path/informers";

/** The health of one informer. */
export interface ResourceHealth extends InformerHealth {
  readonly resource: Resource;
  /** The namespace of this informer. "" means all namespaces. */
  readonly namespace: string;
  /** Milliseconds since the server last sent something, or since the start if it has sent nothing. */
  readonly silentFor: number;
  /**
   * Whether it has not synced, or was silent for longer than `staleAfter`. False when the server answers 404
   * for the kind.
   */
  readonly stale: boolean;
}

/** The health of a cache. */
export interface CacheHealth {
  /** Whether no informer is stale. */
  readonly healthy: boolean;
  readonly informers: readonly ResourceHealth[];
}
