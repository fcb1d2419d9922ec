import { type Span, trace } from "@opentelemetry/api";

/** Of a log line, so that it is found from its trace and the trace from it: OpenTelemetry's names for logs in JSON. */
export interface TraceFields {
  readonly trace_id: string;
  readonly span_id: string;
  /** "01": the trace is sampled. */
  readonly trace_flags: string;
}

export function traceFieldsOf(span: Span): TraceFields {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { trace_id: traceId, span_id: spanId, trace_flags: traceFlags.toString(16).padStart(2, "0") };
}

/** Of the span that this is called in, as far as a context manager is registered. */
export function activeTraceFields(): TraceFields | undefined {
  const span = trace.getActiveSpan();
  return span && trace.isSpanContextValid(span.spanContext()) ? traceFieldsOf(span) : undefined;
}
