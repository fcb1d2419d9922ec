import { configMaps, type KubeObject } from "@operator-path/client";
import { expect, test } from "vitest";
import { listInto } from "./reflector-list.ts";
import { createSharedInformerOn } from "./shared-informer.ts";
import { createObjectSource } from "./testing/scripted-source.ts";

/** Keeps the processor busy. */
function work(milliseconds: number): void {
  for (const end = performance.now() + milliseconds; performance.now() < end; );
}

/** Returns one list and a watch without events. */
const quietSource = (items: KubeObject[]) =>
  createObjectSource({
    list: async () => ({ metadata: { resourceVersion: "5" }, items }),
    watch: (_, signal) => ({
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
      }),
    }),
  });

test("yields to the event loop while a long list is delivered, also to a late handler", async () => {
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
  const delivered: string[] = [];
  informer.addEventHandler({ added: () => work(1) });
  const running = informer.run(stop.signal);
  await informer.waitForSync();
  // 200 ms of work in slices of 5 ms take about forty turns, if nothing else counts.
  expect(turns).toBeGreaterThan(10);
  const before = turns;
  const late = informer.addEventHandler({
    changed: ({ key, isInInitialList }) => {
      work(1);
      delivered.push(`${key} ${isInInitialList}`);
    },
  });
  await late.waitForSync();
  expect(late.hasSynced()).toBe(true);
  expect(delivered).toEqual(items.map(({ metadata }) => `${metadata.name} true`));
  expect(turns - before).toBeGreaterThan(10);
  stop.abort();
  await running;
});

test("shares one slice per turn of the event loop between all handlers", async () => {
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
  const delivered = Array.from({ length: 20 }, () => 0);
  const spread: number[] = [];
  const informer = createSharedInformerOn(quietSource(items), configMaps, { watchList: false });
  for (const index of delivered.keys()) {
    informer.addEventHandler({
      added() {
        work(1);
        inOneTurn++;
        (delivered[index] as number)++;
        spread.push(Math.max(...delivered) - Math.min(...delivered));
      },
    });
  }
  turn();
  const running = informer.run(stop.signal);
  await informer.waitForSync();
  turn();
  expect(delivered).toEqual(delivered.map(() => 30));
  // Five milliseconds plus the step that was running. Separate slices per handler would take a hundred.
  expect(most).toBeLessThan(20);
  // Handlers take turns: none finishes before another has started.
  expect(Math.max(...spread)).toBeLessThan(20);
  stop.abort();
  await running;
});

test("yields to the event loop while a list in one piece is scanned", async () => {
  const spec = Object.fromEntries(
    Array.from({ length: 100 }, (_, index) => [`field${index}`, { value: index }]),
  );
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    ...{ metadata: { name: `c${index}`, uid: `${index}`, resourceVersion: "1" }, spec },
  }));
  const body = Buffer.from(JSON.stringify({ metadata: { resourceVersion: "5" }, items }));
  const [first] = body.subarray(-1);
  // The list is malformed at its very end. No item is put, so scanning takes all the time.
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
  const options = { pageSize: 500, onPage() {}, acceptOlder: false };
  const listing = listInto(sink, source, options, new AbortController().signal);
  await expect(listing).rejects.toThrow("malformed JSON");
  failed = true;
  // About 50 ms or more in slices of five.
  expect(turns).toBeGreaterThan(4);
});
