import type { TracerProvider } from "@opentelemetry/api";
import { type Context, context, type Span, SpanStatusCode, type Tracer, trace } from "@opentelemetry/api";

/** Distinguishes this library's spans from others. */
const libraryName = "@operator-path/controller-runtime";

/**
 * Returns a tracer of the given provider, or of the one registered with the OpenTelemetry API, now or later.
 * Without a provider it creates no spans.
 */
export function createTracer(provider?: TracerProvider): Tracer {
  return (provider ?? trace).getTracer(libraryName);
}

/**
 * Returns whether a provider created the span. An unsampled span counts, because its context is passed on.
 */
export function isTraced(span: Span): boolean {
  return span.isRecording() || trace.isSpanContextValid(span.spanContext());
}

/** Runs the work with the span as the active one (given a context manager), then ends the span. */
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
