import { context, propagation, SpanStatusCode, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { startApiServer } from "@operator-path/apiserver";
import { configMaps, createClient, createTransport, type Transport } from "@operator-path/client";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createLogger } from "../log/create-logger.ts";
import { createManager } from "../manager/create-manager.ts";
import type { Manager } from "../manager/manager.ts";
import type { ReconcileFunction } from "../reconcile/reconciler.ts";
import { TerminalError } from "../reconcile/terminal-error.ts";

const exporter = new InMemorySpanExporter();
const createProvider = () => new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const template = "/api/v1/namespaces/{namespace}/configmaps/{name}";

/** Runs an operator on one ConfigMap until it has reconciled `times` times. */
async function operate(reconciler: (manager: Manager) => ReconcileFunction, times = 1, options = {}) {
  const server = await startApiServer();
  onTestFinished(() => server.stop());
  const connection = createClient(server.kubeConfig());
  onTestFinished(() => connection.close());
  const settings = { metadata: { name: "settings" }, data: { color: "red" } };
  const { metadata } = await connection.resource(configMaps).namespace("default").create(settings);
  const inner = createTransport(server.kubeConfig());
  const headers: Record<string, string>[] = [];
  const transport: Transport = {
    ...inner,
    request(request) {
      headers.push(request.headers ?? {});
      return inner.request(request);
    },
  };
  const text: string[] = [];
  const logger = createLogger({ destination: { write: (line) => text.push(line) } });
  const manager = createManager(server.kubeConfig(), { random: () => 0, transport, logger, ...options });
  let reconciled = 0;
  const reconcile = reconciler(manager);
  newControllerManagedBy(manager)
    .for(configMaps)
    .named("settings")
    .complete(async (request, own) => {
      try {
        return await reconcile(request, own);
      } finally {
        reconciled++;
      }
    });
  const stop = new AbortController();
  const running = manager.start(stop.signal);
  await vi.waitFor(() => expect(reconciled).toBeGreaterThanOrEqual(times));
  stop.abort();
  await running;
  return {
    url: new URL(server.url),
    resourceVersion: metadata?.resourceVersion,
    headers,
    text,
    lines: text.map(parse),
  };
}

const parse = (line: string): Record<string, unknown> => JSON.parse(line);
const reconciles = () => exporter.getFinishedSpans().filter(({ name }) => name === "Reconcile settings");
const requests = () => exporter.getFinishedSpans().filter(({ name }) => name !== "Reconcile settings");

afterEach(() => {
  for (const api of [context, trace, propagation]) api.disable();
  exporter.reset();
});

describe("with a tracer provider and a context manager", () => {
  beforeEach(() => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    trace.setGlobalTracerProvider(createProvider());
  });

  test("a reconcile's span contains its cause and result", async () => {
    const { resourceVersion } = await operate(() => () => ({ requeueAfter: 60_000 }));
    const [span] = reconciles();
    expect(span?.attributes).toEqual({
      "reconcile.controller": "settings",
      "reconcile.kind": "ConfigMap",
      "k8s.namespace.name": "default",
      "reconcile.name": "settings",
      "reconcile.id": expect.stringMatching(/^[0-9a-f-]{36}$/),
      "reconcile.trigger": "initialList",
      "reconcile.trigger.kind": "ConfigMap",
      "reconcile.trigger.object": "default/settings",
      "reconcile.trigger.resource_version": resourceVersion,
      "reconcile.trigger.count": 1,
      "reconcile.queue_wait_ms": expect.any(Number),
      "reconcile.retries": 0,
      "reconcile.result": "requeue_after",
      "reconcile.requeue_after_ms": 60_000,
    });
    // Lists and watches of the library have no parent span.
    expect(requests()).toEqual([]);
  });

  test("requests are children of their reconcile, named by path template", async () => {
    const { url } = await operate(
      ({ apiReader, client }) =>
        async (key, { cause }) => {
          if (cause.trigger !== "initialList") return;
          const found = await apiReader.get(configMaps, key);
          await client.update({ ...found, data: { color: "blue" } });
          await apiReader.get(configMaps, { ...key, name: "missing" }).catch(() => {});
        },
      2,
    );
    const [first, second] = reconciles();
    const children = requests();
    expect(children.map(({ name }) => name)).toEqual([
      `GET ${template}`,
      `PUT ${template}`,
      `GET ${template}`,
    ]);
    for (const child of children) {
      expect(child.parentSpanContext?.spanId).toBe(first?.spanContext().spanId);
      expect(child.spanContext().traceId).toBe(first?.spanContext().traceId);
    }
    expect(children[0]?.attributes).toEqual({
      "http.request.method": "GET",
      "http.response.status_code": 200,
      "url.path": "/api/v1/namespaces/default/configmaps/settings",
      "url.template": template,
      "server.address": "127.0.0.1",
      "server.port": Number(url.port),
      "k8s.api.group": "",
      "k8s.api.version": "v1",
      "k8s.api.resource": "configmaps",
      "k8s.namespace.name": "default",
      "k8s.api.name": "settings",
    });
    expect(children[2]).toMatchObject({
      status: { code: SpanStatusCode.ERROR },
      attributes: { "http.response.status_code": 404, "error.type": "404" },
    });
    const { attributes } = second ?? {};
    expect(attributes).toMatchObject({ "reconcile.trigger": "updated", "reconcile.result": "success" });
    const versions = ["reconcile.trigger.old_resource_version", "reconcile.trigger.resource_version"];
    const [before, after] = versions.map((name) => Number(attributes?.[name]));
    expect(before).toBeLessThan(after ?? 0);
  });

  test("lines of any logger contain the span's ids once", async () => {
    const own = trace.getTracer("own");
    const { lines, text } = await operate(({ log: managers }) => (_, { log }) => {
      managers.info("the manager's");
      log.info("the reconcile's");
      own.startActiveSpan("own", (span) => {
        managers.info("in a custom span");
        span.end();
      });
    });
    const [span] = reconciles();
    const [inner] = requests();
    const { traceId } = span?.spanContext() ?? {};
    expect(lines.filter((line) => "trace_id" in line)).toMatchObject([
      { msg: "the manager's", trace_id: traceId, span_id: span?.spanContext().spanId },
      { msg: "the reconcile's", trace_id: traceId, span_id: span?.spanContext().spanId },
      { msg: "in a custom span", trace_id: traceId, span_id: inner?.spanContext().spanId },
    ]);
    for (const line of text.filter((each) => each.includes("trace_id"))) {
      expect(line.split("trace_id")).toHaveLength(2);
    }
  });

  test("requests carry the trace context", async () => {
    propagation.setGlobalPropagator({
      inject: (own, carrier, setter) =>
        setter.set(carrier, "traceparent", trace.getSpanContext(own)?.spanId ?? "none"),
      extract: (own) => own,
      fields: () => ["traceparent"],
    });
    const { headers } = await operate(({ apiReader }) => async (key) => {
      await apiReader.get(configMaps, key);
    });
    const [request] = requests();
    const traced = headers.flatMap(({ traceparent }) => traceparent ?? []);
    expect(traced).toEqual([request?.spanContext().spanId]);
  });

  test.each([
    ["error", () => new Error("no color")],
    ["terminal_error", () => new TerminalError("no color")],
  ])("the span of a failed reconcile contains the failure: %s", async (result, failure) => {
    await operate(() => () => Promise.reject(failure()));
    expect(reconciles()[0]).toMatchObject({
      attributes: { "reconcile.result": result },
      status: { code: SpanStatusCode.ERROR, message: expect.stringMatching(/no color$/) },
      events: [{ name: "exception" }],
    });
  });
});

test("a manager's own provider needs no context manager for the ids in a reconcile's lines", async () => {
  const { lines } = await operate(
    ({ apiReader }) =>
      async (key, { log }) => {
        await apiReader.get(configMaps, key);
        log.info("found");
        throw new TerminalError("no color");
      },
    1,
    { tracerProvider: createProvider() },
  );
  const [span, ...others] = reconciles();
  expect(others).toEqual([]);
  const { traceId = "none", spanId = "none" } = span?.spanContext() ?? {};
  const ofReconcile = lines.filter(({ msg }) => msg === "found" || msg === "Reconciler error");
  expect(ofReconcile).toHaveLength(2);
  for (const line of ofReconcile) {
    expect(line).toMatchObject({ trace_id: traceId, span_id: spanId, trace_flags: "01" });
  }
  expect(lines.filter((line) => "trace_id" in line)).toHaveLength(2);
  expect(requests()).toEqual([]);
});
