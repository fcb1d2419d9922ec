import { expect, test } from "vitest";
import { RequestError } from "./errors.ts";
import { createFakeClock } from "./testing/index.ts";
import { createThrottledTransport } from "./throttled-transport.ts";
import type { Transport } from "./transport.ts";

function start(options: { qps: number; burst: number }) {
  const clock = createFakeClock();
  const sent: number[] = [];
  let closed = false;
  const answer = async () => {
    if (closed) {
      const request = { method: "GET", url: "https://example.com/" };
      throw new RequestError("the client was closed", { request, isAborted: true });
    }
    sent.push(clock.now());
    return { status: 200, headers: {}, body: new Uint8Array() as never };
  };
  const close = async () => {
    closed = true;
  };
  const inner: Transport = { request: answer, stream: answer, close };
  const transport = createThrottledTransport(inner, { ...options, clock });
  const get = (signal?: AbortSignal) =>
    transport.request({ method: "GET", path: "/", ...(signal ? { signal } : {}) });
  return { clock, sent, transport, get };
}

test("sends a burst at once, then qps requests per second, and another burst after a pause", async () => {
  const { clock, sent, get } = start({ qps: 10, burst: 3 });
  const begin = clock.now();
  const all = Array.from({ length: 5 }, () => get());
  await clock.advance(1_000);
  await Promise.all(all);
  const more = Array.from({ length: 4 }, () => get());
  await clock.advance(1_000);
  await Promise.all(more);
  expect(sent.map((at) => at - begin)).toEqual([0, 0, 0, 100, 200, 1_000, 1_000, 1_000, 1_100]);
});

test("ends the wait of one request with its signal, and all waits with close", async () => {
  const { sent, transport, get } = start({ qps: 1, burst: 1 });
  await get();
  const abort = new AbortController();
  const aborted = get(abort.signal);
  const waiting = get();
  abort.abort(new Error("enough"));
  await expect(aborted).rejects.toThrow("enough");
  await transport.close();
  await expect(waiting).rejects.toThrow(RequestError);
  expect(sent).toHaveLength(1);
});

test.each([
  [{ qps: 0, burst: 1 }, "qps is 0 (expected a number above 0"],
  [{ qps: 5, burst: 0 }, "burst is 0 (expected a number of at least 1)"],
  [{ qps: Number.NaN, burst: 1 }, "qps is NaN"],
])("rejects %o", (options, message) => {
  expect(() => start(options)).toThrow(message);
});
