import { AsyncLocalStorage } from "node:async_hooks";
import type { ReconcileContext } from "./reconciler.ts";

// The context that Go passes through every call. Tells in which reconcile a request is sent.
const current = new AsyncLocalStorage<ReconcileContext>();

/** Runs a reconcile so that `currentReconcile` finds its context, also after an `await`. */
export function runAsReconcile<T>(context: ReconcileContext, run: () => T): T {
  return current.run(context, run);
}

/** Returns the context of the reconcile that the caller runs in, or undefined outside of one. */
export function currentReconcile(): ReconcileContext | undefined {
  return current.getStore();
}
