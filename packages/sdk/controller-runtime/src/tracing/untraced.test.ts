import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import type { Transport, TransportRequest } from "@operator-path/client";
import { expect, onTestFinished, test, vi } from "vitest";
import type { ReconcileContext } from "../reconcile/reconciler.ts";
import { createReconcileSpans } from "./reconcile-span.ts";
import { createTracedTransport } from "./traced-transport.ts";

/** Fails when anything of it is looked at. */
function untouchable<T extends object>(what: string): T {
  const refuse = () => {
    throw new Error(`somebody looked at the ${what}`);
  };
  return new Proxy({} as T, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse });
}

test("without a tracer provider nothing is done beside the reconcile: no promise, no look at why it came", async () => {
  const run = createReconcileSpans("settings", "ConfigMap");
  const entered = vi.spyOn(context, "with");
  onTestFinished(() => entered.mockRestore());
  const returned = Promise.resolve({ requeueAfter: 5 });
  const request = () => {
    throw new Error("somebody looked at the request");
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

test("requests of nobody's span go on as they are, with and without a context manager", async () => {
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

test("a provider that comes later is heard of", async () => {
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
