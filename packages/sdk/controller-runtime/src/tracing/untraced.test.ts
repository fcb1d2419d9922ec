import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { Transport, TransportRequest } from "@operator-path/client";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ReconcileContext } from "../reconcile/reconciler.ts";
import { createReconcileSpans } from "./reconcile-span.ts";
import { createTracedTransport } from "./traced-transport.ts";

/** Fails when any property of it is read. */
function untouchable<T extends object>(what: string): T {
  const refuse = () => {
    throw new Error(`${what} was read`);
  };
  return new Proxy({} as T, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
}

test("only runs the reconcile without a tracer provider", async () => {
  const run = createReconcileSpans("settings", "ConfigMap");
  const entered = vi.spyOn(context, "with");
  onTestFinished(() => entered.mockRestore());
  const returned = Promise.resolve({ requeueAfter: 5 });
  const request = () => {
    throw new Error("the request was read");
  };
  expect(run(request, untouchable<ReconcileContext>("context"), () => returned)).toBe(returned);
  const failure = new Error("no");
  expect(() =>
    run(request, untouchable<ReconcileContext>("context"), () => {
      throw failure;
    }),
  ).toThrow(failure);
  expect(entered).not.toHaveBeenCalled();
});

test("passes requests without a parent span through unchanged", async () => {
  const sent: TransportRequest[] = [];
  const answer = Promise.resolve({ status: 200, headers: {}, body: new Uint8Array() });
  const inner = {
    request(request: TransportRequest) {
      sent.push(request);
      return answer;
    },
  } as Transport;
  const transport = createTracedTransport(inner, new URL("https://127.0.0.1:6443"));
  const request: TransportRequest = { method: "GET", path: "/version" };
  expect(transport.request(request)).toBe(answer);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  onTestFinished(() => context.disable());
  expect(transport.request(request)).toBe(answer);
  expect(sent).toEqual([request, request]);
  expect(sent.every((each) => each === request)).toBe(true);
});

test("uses a provider that is registered later", async () => {
  const run = createReconcileSpans("settings", undefined);
  const names: string[] = [];
  trace.setGlobalTracerProvider({
    getTracer: () =>
      ({
        startSpan(name: string) {
          names.push(name);
          return trace.wrapSpanContext({ traceId: "0".repeat(32), spanId: "0".repeat(16), traceFlags: 0 });
        },
      }) as never,
  });
  onTestFinished(() => trace.disable());
  await run(
    () => ({}),
    untouchable<ReconcileContext>("context"),
    () => undefined,
  );
  expect(names).toEqual(["Reconcile settings"]);
});
