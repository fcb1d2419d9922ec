import { ApiError, type WatchEvent } from "@operator-path/client";
import { createFakeClock } from "@operator-path/client/testing";
import { expect, test, vi } from "vitest";
import { createReflector, type ReflectorOptions } from "./reflector.ts";
import type { ReflectorSink } from "./store/sink.ts";
import { createObjectSource } from "./testing/scripted-source.ts";

const clockOptions = () => ({ clock: createFakeClock(), random: () => 1 });

function run(
  source: Parameters<typeof createObjectSource>[0],
  options: ReflectorOptions & { clock: ReturnType<typeof createFakeClock> },
  calls: string[] = [],
) {
  const sink: ReflectorSink = {
    begin: (acceptOlder) => void calls.push(`begin${acceptOlder ? " accepting older" : ""}`),
    has: (key) => calls.some((line) => line.startsWith(`${key}@`)),
    put: (_, { key, resourceVersion }) => void calls.push(`${key}@${resourceVersion}`),
    delete: (_, { key }) => void calls.push(`-${key}`),
    end: () => void calls.push("end"),
  };
  const errors: string[] = [];
  const stop = new AbortController();
  const reflector = createReflector(createObjectSource(source), sink, {
    onError: ({ message }) => errors.push(message),
    ...options,
  });
  const running = reflector.run(stop.signal);
  return {
    calls,
    errors,
    reflector,
    async end() {
      stop.abort();
      await running;
      expect(options.clock.pending()).toBe(0);
    },
  };
}

const gone = (): WatchEvent => ({ type: "ERROR", object: { kind: "Status", code: 410, message: "too old" } });
const object = (name: string, resourceVersion: string) => ({ metadata: { name, resourceVersion } });

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) =>
    signal.addEventListener("abort", () => reject(signal.reason), { once: true }),
  );
}

test("accepts an older list only after several identical answers, as after a restore", async () => {
  const options = { ...clockOptions(), watchList: false };
  const versions = ["50", "40", "40", "40", "40"];
  let watches = 0;
  const { calls, errors, reflector, end } = run(
    {
      list: async () => ({
        metadata: { resourceVersion: versions.shift() ?? "40" },
        items: [object("a", "9")],
      }),
      async *watch(_, signal) {
        if (watches++ === 0) yield gone();
        await untilAborted(signal);
      },
    },
    options,
  );
  await options.clock.advance(5_000);
  expect(reflector.lastSyncResourceVersion()).toBe("50");
  expect(errors.at(-1)).toBe("the list has version 40, older than the known version 50");
  await options.clock.advance(60_000);
  expect(reflector.lastSyncResourceVersion()).toBe("40");
  expect(calls).toEqual([
    "begin",
    "a@9",
    "end",
    "begin",
    "begin",
    "begin",
    "begin accepting older",
    "a@9",
    "end",
  ]);
  await end();
});

test("requests the second page before it puts the items of the first", async () => {
  const options = { ...clockOptions(), watchList: false, pageSize: 2 };
  const order: string[] = [];
  const calls: string[] = [];
  const { errors, end } = run(
    {
      async list({ continue: token }) {
        order.push(`requested ${token ?? "the first"}, calls ${calls.length}`);
        const items = token ? [object("c", "3")] : [object("a", "1"), object("b", "2")];
        return { metadata: { resourceVersion: "9", ...(!token && { continue: "more" }) }, items };
      },
      watch: (_, signal) => ({ [Symbol.asyncIterator]: () => ({ next: () => untilAborted(signal) }) }),
    },
    options,
    calls,
  );
  await options.clock.advance(1);
  expect(errors).toEqual([]);
  await vi.waitFor(() => expect(calls).toEqual(["begin", "a@1", "b@2", "c@3", "end"]));
  expect(order).toEqual(["requested the first, calls 0", "requested more, calls 1"]);
  await end();
});

test.each([
  ["a 410 as a status", new ApiError({ code: 410, reason: "Expired", message: "gone" })],
  [
    "a version that the server has not reached yet",
    new ApiError({ code: 504, message: "Too large resource version: 7, current: 5" }),
  ],
])("requests the newest state, not the known version, after %s", async (_, error) => {
  const options = clockOptions();
  const asked: string[] = [];
  const { end } = run(
    {
      list: () => Promise.reject(new Error("not asked for")),
      async *watch({ resourceVersion, sendInitialEvents }, signal) {
        asked.push(`${sendInitialEvents ? "stream" : "watch"} ${resourceVersion}`);
        if (!sendInitialEvents) throw error;
        const annotations = { "k8s.io/initial-events-end": "true" };
        yield { type: "BOOKMARK", object: { metadata: { resourceVersion: "7", annotations } } };
        if (asked.length > 2) await untilAborted(signal);
      },
    },
    options,
  );
  await options.clock.advance(10_000);
  expect(asked).toEqual(["stream ", "watch 7", "stream "]);
  await end();
});

const streamed = (answers: WatchEvent[][]) => ({
  list: () => Promise.reject(new Error("not asked for")),
  async *watch(_: unknown, signal: AbortSignal) {
    yield* answers.shift() ?? [];
    await untilAborted(signal);
  },
});
const added = (name: string, version: string): WatchEvent => ({
  type: "ADDED",
  object: object(name, version),
});
const modified = (name: string, version: string): WatchEvent => ({
  type: "MODIFIED",
  object: object(name, version),
});
const deleted = (name: string, version: string): WatchEvent => ({
  type: "DELETED",
  object: object(name, version),
});
const initialEnd = (resourceVersion: string): WatchEvent => ({
  type: "BOOKMARK",
  object: { metadata: { resourceVersion, annotations: { "k8s.io/initial-events-end": "true" } } },
});

test("does not restore deleted objects from a stream of a server that lags behind", async () => {
  const options = clockOptions();
  const { calls, errors, end } = run(
    streamed([
      [added("a", "50"), initialEnd("100"), deleted("gone", "90"), gone()],
      [added("a", "50"), added("gone", "60"), modified("gone", "61"), initialEnd("95")],
      [added("a", "50"), added("b", "120"), initialEnd("130")],
    ]),
    options,
  );
  await options.clock.advance(10_000);
  expect(errors.at(-1)).toBe("the list has version 95, older than the known version 100");
  expect(calls).toEqual(["begin", "a@50", "end", "begin", "a@50", "begin", "a@50", "b@120", "end"]);
  await end();
});

test("puts buffered initial objects at the end of the stream, in their last state, and never deleted ones", async () => {
  const options = clockOptions();
  const { calls, end } = run(
    streamed([
      [added("a", "50"), initialEnd("100"), gone()],
      [
        added("unseen", "60"),
        added("unseen-too", "70"),
        added("deleted", "80"),
        modified("unseen", "110"),
        deleted("deleted", "111"),
        added("a", "50"),
        initialEnd("120"),
      ],
    ]),
    options,
  );
  await options.clock.advance(5_000);
  expect(calls.slice(3)).toEqual(["begin", "unseen@110", "-deleted", "a@50", "unseen-too@70", "end"]);
  await end();
});
