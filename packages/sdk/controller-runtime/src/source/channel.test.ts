import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { KubeObject } from "@operator-path/client";
import { expect, test } from "vitest";
import { newControllerManagedBy } from "../builder/builder.ts";
import { createTestManager } from "../controller/testing/test-manager.ts";
import { enqueueRequestForObject } from "../handler/enqueue-request-for-object.ts";
import { newPredicateFuncs } from "../predicate/predicate.ts";
import { channelSource, createChannel } from "./channel.ts";

test("a channel delivers to each source everything sent after the source was created", async () => {
  const { manager, clock, run } = createTestManager();
  const channel = createChannel<KubeObject>();
  const got: string[] = [];
  const object = (name: string) => ({ metadata: { namespace: "shop", name } });
  channel.send(object("before"));
  for (const name of ["one", "two"]) {
    newControllerManagedBy(manager)
      .named(name)
      .watchesRawSource(
        channelSource(channel, enqueueRequestForObject, {
          predicates: [newPredicateFuncs(({ metadata }) => metadata?.name !== "hidden")],
        }),
      )
      .complete(
        (request, { cause }) => void got.push(`${name} ${request.name} ${cause.trigger} ${cause.object}`),
      );
  }
  channel.send(object("early"));
  const { stop, ended } = run();
  await clock.advance(0);
  channel.send(object("hidden"));
  channel.send(object("late"));
  channel.close();
  await clock.advance(0);
  expect(got.toSorted()).toEqual([
    "one early generic shop/early",
    "one late generic shop/late",
    "two early generic shop/early",
    "two late generic shop/late",
  ]);
  expect(() => channel.send(object("after"))).toThrow("the channel is closed");
  stop();
  await clock.advance(0);
  await ended;
});

test("accepts any stream, and ends it with the controller", async () => {
  const { manager, clock, run } = createTestManager();
  const got: string[] = [];
  let ended = false;
  async function* ticks() {
    try {
      for (let tick = 1; ; tick++) {
        await clock.sleep(1_000);
        yield { metadata: { name: `tick ${tick}` } };
      }
    } finally {
      ended = true;
    }
  }
  newControllerManagedBy(manager)
    .named("ticks")
    .watchesRawSource(channelSource(ticks(), enqueueRequestForObject))
    .complete(({ name }) => void got.push(name));
  const { stop, ended: stopped } = run();
  await clock.advance(2_500);
  stop();
  await clock.advance(0);
  await stopped;
  await clock.advance(5_000);
  expect([got, ended]).toEqual([["tick 1", "tick 2"], true]);
});

test("releases delivered objects", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { manager, clock, run } = createTestManager();
  const channel = createChannel<{ index: number }>();
  let delivered = 0;
  newControllerManagedBy(manager)
    .named("test")
    .watchesRawSource(channelSource(channel, () => void delivered++))
    .complete(() => {});
  run();
  await clock.advance(0);
  let sent = 0;
  const send = async (count: number) => {
    for (let index = 0; index < count; index += 1_000) {
      for (let each = 0; each < 1_000; each++) channel.send({ index: sent++ });
      while (delivered < sent) await new Promise((resolve) => setImmediate(resolve));
    }
    collect();
    return process.memoryUsage().heapUsed;
  };
  const before = await send(10_000);
  const after = await send(50_000);
  expect(delivered).toBe(60_000);
  expect((after - before) / 50_000).toBeLessThan(50);
});

test("delivers many waiting objects in order and in linear time", async () => {
  const channel = createChannel<number>();
  const reader = channel[Symbol.asyncIterator]();
  const got: number[] = [];
  let sent = 0;
  for (let index = 0; index < 200_000; index++) channel.send(sent++);
  const begun = performance.now();
  while (got.length < 200_000) {
    got.push((await reader.next()).value as number);
    if (got.length % 1_000 === 0) channel.send(sent++);
  }
  // 50 s if taking one moved all the others.
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(got).toEqual(Array.from({ length: 200_000 }, (_, index) => index));
  expect((await reader.next()).value).toBe(200_000);
});

test("a channel with a limit drops the oldest objects", async () => {
  const channel = createChannel<number>({ limit: 3 });
  const reader = channel[Symbol.asyncIterator]();
  for (let index = 0; index < 10_000; index++) channel.send(index);
  channel.close();
  const got: number[] = [];
  for (let next = await reader.next(); !next.done; next = await reader.next()) got.push(next.value);
  expect(got).toEqual([9_997, 9_998, 9_999]);
  expect(() => createChannel({ limit: 0 })).toThrow("createChannel: limit is 0: set a number of at least 1");
});
