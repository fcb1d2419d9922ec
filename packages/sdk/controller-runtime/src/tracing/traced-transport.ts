import { type Attributes, propagation, SpanKind, type TracerProvider, trace } from "@opentelemetry/api";
import { ApiError, type ConnectRequest, type Transport, type TransportRequest } from "@operator-path/client";
import { readRequestPath } from "./request-path.ts";
import { createTracer, runInSpan } from "./tracer.ts";

/**
 * Returns a transport that creates a span for each request inside another span, so for those of a reconcile.
 * Other requests, watches and the Lease have no span. The span of a stream ends when its headers arrive. With
 * a registered propagator, the request carries the trace's context (traceparent), so that kube-apiserver's
 * spans join the trace.
 *
 * The attributes are OpenTelemetry's for HTTP clients, `k8s.namespace.name`, and the parts of the path as
 * `k8s.api.…`.
 */
export function createTracedTransport(
  transport: Transport,
  server: URL | undefined,
  provider?: TracerProvider,
): Transport {
  const tracer = createTracer(provider);
  const fixed: Attributes = server
    ? {
        "server.address": server.hostname.replace(/^\[|\]$/g, ""),
        "server.port": Number(server.port || (server.protocol === "https:" ? 443 : 80)),
      }
    : {};

  function traced<R extends { status: number }>(
    request: TransportRequest,
    send: (request: TransportRequest) => Promise<R>,
  ): Promise<R> {
    // No provider, no context manager, or no parent span.
    if (!trace.getActiveSpan()) return send(request);
    const facts = readRequestPath(request.path);
    const span = tracer.startSpan(`${request.method} ${facts.template}`, {
      kind: SpanKind.CLIENT,
      attributes: {
        ...fixed,
        "http.request.method": request.method,
        "url.path": request.path,
        "url.template": facts.template,
        "k8s.api.group": facts.group,
        "k8s.api.version": facts.version,
        "k8s.api.resource": facts.resource,
        "k8s.api.subresource": facts.subresource,
        "k8s.namespace.name": facts.namespace,
        "k8s.api.name": facts.name,
      },
    });
    return runInSpan(
      span,
      async (own) => {
        const headers = { ...request.headers };
        propagation.inject(own, headers);
        const response = await send({ ...request, headers });
        span.setAttribute("http.response.status_code", response.status);
        return response;
      },
      (error) => {
        if (error instanceof ApiError) span.setAttribute("http.response.status_code", error.code);
        span.setAttribute("error.type", error instanceof ApiError ? String(error.code) : nameOf(error));
      },
    );
  }

  const { connect } = transport;
  return {
    request: (request) => traced(request, (own) => transport.request(own)),
    stream: (request) => traced(request, (own) => transport.stream(own)),
    // The span ends when the WebSocket is open.
    ...(connect && {
      connect: (request: ConnectRequest) =>
        traced({ ...request, method: "GET" }, (own) => connect({ ...request, headers: own.headers ?? {} })),
    }),
    close: () => transport.close(),
  };
}

function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : "_OTHER";
}
