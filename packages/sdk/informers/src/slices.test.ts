import { configMaps, type KubeObject } from "@operator-path/client";
import { expect, test } from "vitest";
import { listInto } from "./reflector-list.ts";
import { createSharedInformerOn } from "./shared-informer.ts";
import { createObjectSource } from "./testing/object-source.ts";

/** Keeps the processor busy, as work does. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

/** One list, and a watch that says nothing. */
const quietSource = (items: KubeObject[]) =>
  createObjectSource({
    list: async () => ({ metadata: { resourceVersion: "5" }, items }),
    watch: (_, signal) => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      }),
    }),
  });

test("the event loop gets its turn while a long list is delivered, and while a late handler is told of it", async () => {
  const stop = new AbortController();
  const items = Array.from({ length: 200 }, (_, index) => ({
    metadata: { name: `c${index}`, uid: `${index}`, resourceVersion: "1" },
  }));
  const informer = createSharedInformerOn(quietSource(items), configMaps, { watchList: false });
  let turns = 0;
  const turn = () => {
    turns++;
    if (!stop.signal.aborted) setImmediate(turn);
  };
  turn();
  const told: string[] = [];
  informer.addEventHandler({ added: () => work(1) });
  const running = informer.run(stop.signal);
  await informer.waitForSync();
  // 200 ms of work in slices of 5: some forty, were nothing else to count.
  expect(turns).toBeGreaterThan(10);
  const before = turns;
  const late = informer.addEventHandler({
    changed: ({ key, isInInitialList }) => {
      work(1);
      told.push(`${key} ${isInInitialList}`);
    },
  });
  await late.waitForSync();
  expect(late.hasSynced()).toBe(true);
  expect(told).toEqual(items.map(({ metadata }) => `${metadata.name} true`));
  expect(turns - before).toBeGreaterThan(10);
  stop.abort();
  await running;
});

test("however many handlers there are, a turn of the event loop is not theirs for longer than that of one", async () => {
  const stop = new AbortController();
  const items = Array.from({ length: 30 }, (_, index) => ({
    metadata: { name: `c${index}`, uid: `${index}`, resourceVersion: "1" },
  }));
  let inOneTurn = 0;
  let most = 0;
  const turn = () => {
    most = Math.max(most, inOneTurn);
    inOneTurn = 0;
    if (!stop.signal.aborted) setImmediate(turn);
  };
  const told = Array.from({ length: 20 }, () => 0);
  const spread: number[] = [];
  const informer = createSharedInformerOn(quietSource(items), configMaps, { watchList: false });
  for (const index of told.keys()) {
    informer.addEventHandler({
      added() {
        work(1);
        inOneTurn++;
        (told[index] as number)++;
        spread.push(Math.max(...told) - Math.min(...told));
      },
    });
  }
  turn();
  const running = informer.run(stop.signal);
  await informer.waitForSync();
  turn();
  expect(told).toEqual(told.map(() => 30));
  // Five milliseconds, and what was begun before they were over; of each handler it would be a hundred.
  expect(most).toBeLessThan(20);
  // In turn: none is done before another has begun.
  expect(Math.max(...spread)).toBeLessThan(20);
  stop.abort();
  await running;
});

test("the event loop gets its turn while a list that comes in one piece is read", async () => {
  const spec = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`field${index}`, { value: index }]),
  );
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ metadata: { name: `c${index}`, uid: `${index}`, resourceVersion: "1" }, spec },
  }));
  const body = Buffer.from(JSON.stringify({ metadata: { resourceVersion: "5" }, items }));
  const [first] = body.subarray(-1);
  // Malformed at its very end: not one item is put, so all the time that passes is that of reading.
  body[body.length - 1] = 0x20;
  expect(first).toBe(0x7d);
  let turns = 0;
  let failed = false;
  const turn = () => {
    turns++;
    if (!failed) setImmediate(turn);
  };
  const sink = {
    begin() {},
    has: () => false,
    put: () => expect.fail("an item was put"),
    delete() {},
    end() {},
  };
  const source = {
    list: async () => {
      turn();
      return body;
    },
    watch: () => Promise.reject(new Error("no watch")),
  };
  const options = { pageSize: 500, onPage() {}, isOlderTrusted: false };
  const listing = listInto(sink, source, options, new AbortController().signal);
  await expect(listing).rejects.toThrow("malformed JSON");
  failed = true;
  // Some 50 ms and more, in slices of five.
  expect(turns).toBeGreaterThan(4);
});
