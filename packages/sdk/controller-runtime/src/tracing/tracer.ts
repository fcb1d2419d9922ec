import type { TracerProvider } from "@opentelemetry/api";
import { type Context, context, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";

/** By its name spans of this library are told from others'. */
const libraryName = "@operator-path/controller-runtime";

/** Of the given provider, or whatever is registered with the OpenTelemetry API, also later; without one it makes nothing. */
export function createTracer(provider?: TracerProvider): Tracer {
  return (provider ?? trace).getTracer(libraryName);
}

/** Whether somebody makes spans: those of no provider are without a trace. One that is not sampled counts, for its context. */
export function isTraced(span: Span): boolean {
  return span.isRecording() || trace.isSpanContextValid(span.spanContext());
}

/** Runs the work with the span as the active one, as far as a context manager is registered, and ends the span after it. */
export async function runInSpan<T>(
  span: Span,
  run: (own: Context) => Promise<T> | T,
  onError: (error: unknown) => void = () => {},
): Promise<T> {
  const own = trace.setSpan(context.active(), span);
  try {
    return await context.with(own, () => run(own));
  } catch (error) {
    const exception = error instanceof Error ? error : new Error(String(error));
    span.recordException(exception);
    span.setStatus({ code: SpanStatusCode.ERROR, message: exception.message });
    onError(error);
    throw error;
  } finally {
    span.end();
  }
}
