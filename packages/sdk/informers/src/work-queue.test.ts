import { createFakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createWorkQueue } from "./work-queue.ts";
import { runWorkers } from "./workers.ts";

describe("a workqueue", () => {
  test("hands out a key once, however often it was added", async () => {
    const queue = createWorkQueue<string>();
    for (const key of ["a", "b", "a", "a"]) queue.add(key);
    expect([await queue.get(), await queue.get(), queue.length]).toEqual(["a", "b", 0]);
  });

  test("hands out a key that was added while it was processed, once more, after done", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    await queue.get();
    queue.add("a");
    queue.add("a");
    expect(queue.length).toBe(0);
    queue.done("a");
    expect(queue.length).toBe(1);
    expect(await queue.get()).toBe("a");
    queue.done("a");
    expect(queue.length).toBe(0);
  });

  test("of several delays for one key the earliest counts", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    queue.addAfter("a", 5_000);
    queue.addAfter("a", 1_000);
    queue.addAfter("a", 3_000);
    await clock.advance(999);
    expect(queue.length).toBe(0);
    await clock.advance(1);
    expect(queue.length).toBe(1);
    expect(clock.pending()).toBe(0);
  });

  test("backs off per key, from 5 ms to 1,000 s, until the key is forgotten", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    const waits: number[] = [];
    for (let failure = 0; failure < 20; failure++) {
      const at = clock.now();
      queue.addRateLimited("a");
      while (queue.length === 0) await clock.advance(waits.at(-1) ?? 5);
      waits.push(clock.now() - at);
      await queue.get();
      queue.done("a");
    }
    expect(waits.slice(0, 4)).toEqual([5, 10, 20, 40]);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(1_000_000);
    expect(queue.numRequeues("a")).toBe(20);
    queue.forget("a");
    expect(queue.numRequeues("a")).toBe(0);
  });

  test("shut down, hands out what is left and then undefined, and takes nothing new", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    queue.add("a");
    queue.addAfter("later", 1_000);
    queue.shutDown();
    queue.add("b");
    expect([await queue.get(), await queue.get()]).toEqual(["a", undefined]);
    expect(clock.pending()).toBe(0);
  });

  test("drains: waits for what is being processed, and for what was added again meanwhile", async () => {
    const queue = createWorkQueue<string>();
    queue.add("a");
    await queue.get();
    queue.add("a");
    let drained = false;
    const drain = queue.shutDownWithDrain().then(() => {
      drained = true;
    });
    queue.done("a");
    expect(await queue.get()).toBe("a");
    expect(drained).toBe(false);
    queue.done("a");
    await drain;
  });
});

describe("workers", () => {
  test("never two on one key, and every add is processed after it was made", async () => {
    const keys = fc.array(fc.constantFrom("a", "b", "c", "d"), { minLength: 1, maxLength: 60 });
    await fc.assert(
      fc.asyncProperty(
        keys,
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.nat(3)),
        async (adds, workers, turns) => {
          const queue = createWorkQueue<string>();
          const stop = new AbortController();
          const active = new Set<string>();
          const clashes: string[] = [];
          const wanted = new Map<string, number>();
          const served = new Map<string, number>();
          const run = runWorkers(
            queue,
            {
              workers,
              async process(key) {
                if (active.has(key)) clashes.push(key);
                active.add(key);
                const version = wanted.get(key) ?? 0;
                for (let turn = turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
                active.delete(key);
                served.set(key, version);
              },
            },
            stop.signal,
          );
          for (const [version, key] of adds.entries()) {
            wanted.set(key, version);
            queue.add(key);
            for (let turn = turns.next().value ?? 0; turn > 0; turn--) await Promise.resolve();
          }
          // All of it happens in microtasks, and they are all done when an immediate comes round.
          await new Promise((resolve) => setImmediate(resolve));
          expect(clashes).toEqual([]);
          expect(served).toEqual(wanted);
          stop.abort();
          await run;
        },
      ),
    );
  });

  test("a failure comes back with back-off, requeueAfter without, a success not at all", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    const stop = new AbortController();
    const calls: [string, number][] = [];
    const began = clock.now();
    const errors: unknown[] = [];
    const run = runWorkers(
      queue,
      {
        process(key) {
          calls.push([key, clock.now() - began]);
          const times = calls.filter(([called]) => called === key).length;
          if (key === "fails" && times < 3) throw new Error("not yet");
          return key === "waits" && times < 2 ? { requeueAfter: 3_000 } : {};
        },
        onError: (error, key) => errors.push(`${key}: ${error}`),
      },
      stop.signal,
    );
    for (const key of ["fine", "fails", "waits"]) queue.add(key);
    await clock.advance(10_000);
    expect(calls).toEqual([
      ["fine", 0],
      ["fails", 0],
      ["waits", 0],
      ["fails", 5],
      ["fails", 15],
      ["waits", 3_000],
    ]);
    expect(errors).toEqual(["fails: Error: not yet", "fails: Error: not yet"]);
    stop.abort();
    await run;
    expect(clock.pending()).toBe(0);
  });

  test("an onError that throws ends no worker and loses no key, and both errors are told", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    const stop = new AbortController();
    const processed: string[] = [];
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => stderr.mockRestore());
    const run = runWorkers(
      queue,
      {
        process(key) {
          processed.push(key);
          if (processed.length === 1) throw new Error("not yet");
        },
        onError() {
          throw new Error("the log is full");
        },
      },
      stop.signal,
    );
    queue.add("fails");
    queue.add("fine");
    await clock.advance(1_000);
    expect(processed).toEqual(["fails", "fine", "fails"]);
    expect(stderr.mock.calls.map((line) => line.join(" "))).toEqual([
      "fails: Error: not yet",
      "fails: Error: the log is full",
    ]);
    stop.abort();
    await run;
  });

  test("stopped, they finish what they are doing and begin nothing", async () => {
    const queue = createWorkQueue<string>();
    const stop = new AbortController();
    const release = Promise.withResolvers<void>();
    const log: string[] = [];
    const run = runWorkers(
      queue,
      {
        async process(key) {
          log.push(`begin ${key}`);
          await release.promise;
          log.push(`end ${key}`);
        },
      },
      stop.signal,
    );
    queue.add("a");
    queue.add("b");
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    release.resolve();
    await run;
    expect(log).toEqual(["begin a", "end a"]);
  });
});
