import { channel } from "node:diagnostics_channel";
import type { ReconcileCause } from "../reconcile/reconcile-cause.ts";

/** What each reconcile publishes on the diagnostics channel `operator-path:reconcile:done`. Plain data. */
export interface ReconcileMessage {
  readonly controller: string;
  /** The reconciled kind, if the controller has one. */
  readonly kind: string | undefined;
  /** "namespace/name", "name", or the text of a request of the author's own type. */
  readonly key: string;
  readonly cause: ReconcileCause;
  /** When it began, in milliseconds since the epoch. */
  readonly at: number;
  /** In milliseconds. */
  readonly duration: number;
  readonly result: "success" | "requeue" | "requeue_after" | "error" | "terminal_error" | "aborted";
  /** The message of the error. */
  readonly error?: string;
}

/** Publishes a reconcile to those who subscribed. Builds the message only if there are any. */
export function publishReconcile(message: () => ReconcileMessage): void {
  const done = channel("operator-path:reconcile:done");
  if (done.hasSubscribers) done.publish(message());
}
