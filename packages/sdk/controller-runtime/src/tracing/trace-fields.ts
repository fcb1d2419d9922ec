import { type Span, trace } from "@opentelemetry/api";

/** Fields that link a log line to its trace, with OpenTelemetry's names for JSON logs. */
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

/** Returns the fields of the active span. Needs a registered context manager. */
export function activeTraceFields(): TraceFields | undefined {
  const span = trace.getActiveSpan();
  return span && trace.isSpanContextValid(span.spanContext()) ? traceFieldsOf(span) : undefined;
}
