import { AsyncLocalStorage } from "node:async_hooks";
import type { ReconcileContext } from "./reconciler.ts";

// What Go passes as a context through every call: which reconcile a request was sent in.
const current = new AsyncLocalStorage<ReconcileContext>();

/** Runs a reconcile so that `currentReconcile` finds its context, also after each `await` in it. */
export function runAsReconcile<T>(context: ReconcileContext, run: () => T): T {
  return current.run(context, run);
}

/** Returns the context of the reconcile that the caller runs in; undefined outside of one. */
export function currentReconcile(): ReconcileContext | undefined {
  return current.getStore();
}
