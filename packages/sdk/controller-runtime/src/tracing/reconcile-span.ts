import { type Attributes, type Span, SpanKind, type TracerProvider } from "@opentelemetry/api";
import { isAbort, isTerminal } from "../controller/error-kinds.ts";
import type { ReconcileCause } from "../reconcile/reconcile-cause.ts";
import type { ReconcileContext, Reconciler } from "../reconcile/reconciler.ts";
import type { Result } from "../reconcile/result.ts";
import { type TraceFields, traceFieldsOf } from "./trace-fields.ts";
import { createTracer, isTraced, runInSpan } from "./tracer.ts";

/**
 * Runs a reconcile in a span and returns what it returns. Without a tracer provider it only calls `run`.
 *
 * @param request returns the span's attributes of the request
 */
export type WithReconcileSpan = (
  request: () => Attributes,
  context: ReconcileContext,
  run: (trace?: TraceFields) => Returned,
) => Returned;

type Returned = ReturnType<Reconciler["reconcile"]>;

/**
 * Creates the spans of a controller's reconciles, named "Reconcile <controller>". Their attributes are those
 * of the log: the object, the trigger, the wait and the result. With a context manager, requests of the
 * reconcile are child spans (AsyncLocalStorageContextManager, which the OpenTelemetry SDK for Node
 * registers).
 */
export function createReconcileSpans(
  controller: string,
  kind: string | undefined,
  provider?: TracerProvider,
): WithReconcileSpan {
  const tracer = createTracer(provider);
  const name = `Reconcile ${controller}`;
  const attributes: Attributes = { "reconcile.controller": controller, "reconcile.kind": kind };
  const options = { kind: SpanKind.INTERNAL, attributes };

  return (request, context, run) => {
    const span = tracer.startSpan(name, options);
    // Not recorded: avoid even the promise.
    if (!isTraced(span)) return run();
    if (span.isRecording()) span.setAttributes(beforehand(request(), context));
    return runInSpan(
      span,
      async () => {
        const returned = await run(traceFieldsOf(span));
        if (span.isRecording()) note(span, returned);
        return returned ?? undefined;
      },
      (error) => span.setAttribute("reconcile.result", failureOf(error, context.signal)),
    );
  };
}

function beforehand(request: Attributes, { cause, reconcileID }: ReconcileContext): Attributes {
  return {
    ...request,
    "reconcile.id": reconcileID,
    ...causeAttributes(cause),
  };
}

function causeAttributes(cause: ReconcileCause): Attributes {
  return {
    "reconcile.trigger": cause.trigger,
    "reconcile.trigger.kind": cause.resource,
    "reconcile.trigger.object": cause.object,
    "reconcile.trigger.old_resource_version": cause.oldResourceVersion,
    "reconcile.trigger.resource_version": cause.resourceVersion,
    "reconcile.trigger.count": cause.count,
    "reconcile.queue_wait_ms": cause.queuedFor,
    "reconcile.retries": cause.retries,
  };
}

/** A JavaScript reconciler may return anything. */
function note(span: Span, returned: unknown): void {
  const result = (returned ?? {}) as Result;
  const after = result.requeueAfter;
  if (after !== undefined && after > 0) {
    span.setAttributes({ "reconcile.result": "requeue_after", "reconcile.requeue_after_ms": after });
  } else {
    span.setAttribute("reconcile.result", result.requeue ? "requeue" : "success");
  }
}

function failureOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted && isAbort(error, signal.reason)) return "aborted";
  return isTerminal(error) ? "terminal_error" : "error";
}
