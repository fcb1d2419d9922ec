import { createFakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createWorkQueue } from "./work-queue.ts";
import { runWorkers } from "./workers.ts";

describe("workers", () => {
  test("never process a key twice at a time, and process it after every add", async () => {
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
          await queue.shutDownWithDrain();
          expect(clashes).toEqual([]);
          expect(served).toEqual(wanted);
          stop.abort();
          await run;
        },
      ),
    );
  });

  test("yield to timers and sockets between many synchronous keys", async () => {
    const queue = createWorkQueue<number>();
    const stop = new AbortController();
    for (let key = 0; key < 20_000; key++) queue.add(key);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    onTestFinished(() => clearInterval(timer));
    // About 50 µs of work each, on any machine.
    const work = () => {
      for (const until = performance.now() + 0.05; performance.now() < until; );
    };
    const run = runWorkers(queue, { workers: 4, process: work }, stop.signal);
    await queue.shutDownWithDrain();
    await run;
    expect(turns).toBeGreaterThan(50);
  });

  test("lose no key when the rate limiter throws or returns NaN", async () => {
    for (const when of [
      () => Number.NaN,
      () => {
        throw new Error("the limiter is broken");
      },
    ]) {
      const clock = createFakeClock();
      const rateLimiter = { when, forget() {}, numRequeues: () => 0 };
      const queue = createWorkQueue<string>({ clock, rateLimiter });
      const stop = new AbortController();
      const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
      onTestFinished(() => stderr.mockRestore());
      const processed: string[] = [];
      const process = (key: string) => {
        processed.push(key);
        if (processed.length === 1) throw new Error("not yet");
      };
      const run = runWorkers(queue, { process, onError: () => {} }, stop.signal);
      queue.add("fails");
      queue.add("fine");
      await clock.advance(999);
      expect(processed).toEqual(["fails", "fine"]);
      await clock.advance(1);
      expect(processed).toEqual(["fails", "fine", "fails"]);
      stop.abort();
      await run;
    }
  });

  test("lose no key under failures, waits and adds during processing", async () => {
    const outcome = fc.constantFrom("done", "fails", "throws", "again", "adds itself");
    const key = fc.constantFrom("a", "b", "c");
    const add = fc.tuple(key, fc.nat(3), fc.constantFrom(0, 0, 3, 50), fc.nat(20));
    await fc.assert(
      fc.asyncProperty(
        fc.array(add, { minLength: 1, maxLength: 20 }),
        fc.array(outcome, { maxLength: 25 }),
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        async (adds, outcomes, workers, drain) => {
          const clock = createFakeClock();
          const queue = createWorkQueue<string>({ clock });
          const stop = new AbortController();
          const active = new Set<string>();
          const log: string[] = [];
          /** Keys that must be processed once more. */
          const owed = new Set<string>();
          const left = [...outcomes];
          const run = runWorkers(
            queue,
            {
              workers,
              async process(key) {
                log.push(active.has(key) ? `clash on ${key}` : key);
                owed.delete(key);
                active.add(key);
                const outcome = left.shift();
                if (outcome !== "throws") await clock.sleep(7);
                active.delete(key);
                if (outcome && outcome !== "done") owed.add(key);
                if (outcome === "adds itself") queue.add(key);
                if (outcome === "again") return { requeueAfter: 20 };
                if (outcome === "fails" || outcome === "throws") throw new Error("not yet");
              },
              onError() {},
            },
            stop.signal,
          );
          for (const [key, priority, after, pause] of adds) {
            owed.add(key);
            queue.add(key, { priority, after });
            await clock.advance(pause);
          }
          await clock.advance(60_000);
          expect(log.filter((line) => line.startsWith("clash"))).toEqual([]);
          // Every add was followed by a "go", and so was every attempt that did not end in "done".
          expect(new Set(log)).toEqual(new Set(adds.map(([key]) => key)));
          expect(owed).toEqual(new Set());
          expect([queue.length, active.size, clock.pending()]).toEqual([0, 0, 0]);
          if (drain) await queue.shutDownWithDrain();
          stop.abort();
          await run;
        },
      ),
      { numRuns: 150, seed: 20261121 },
    );
  });

  test("requeue a key with its priority", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    const stop = new AbortController();
    const log: string[] = [];
    const run = runWorkers(
      queue,
      {
        async process(key) {
          log.push(key);
          await clock.sleep(100);
          if (log.length === 1) throw new Error("not yet");
          if (log.length === 2) return { requeueAfter: 50 };
        },
        onError() {},
      },
      stop.signal,
    );
    queue.add("fails", { priority: 2 });
    queue.add("waits", { priority: 2 });
    for (const key of ["a", "b", "c"]) queue.add(key, { priority: 1 });
    await clock.advance(1_000);
    expect(log).toEqual(["fails", "waits", "fails", "waits", "a", "b", "c"]);
    stop.abort();
    await run;
  });

  test.each([0, -1, Number.NaN])("rejects %s workers", async (workers) => {
    const run = runWorkers(
      createWorkQueue<string>(),
      { workers, process() {} },
      new AbortController().signal,
    );
    await expect(run).rejects.toThrow("it must be at least 1");
  });

  test("log a failure by default: with the stack first, then with the number of the attempt", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    const stop = new AbortController();
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => stderr.mockRestore());
    let tries = 0;
    const run = runWorkers(
      queue,
      {
        process() {
          tries++;
          if (tries !== 4) throw new Error("no\nsecond line");
        },
      },
      stop.signal,
    );
    queue.add("shop/a");
    await clock.advance(35);
    queue.add("shop/a");
    await clock.advance(1);
    stop.abort();
    await run;
    const [first = "", ...others] = stderr.mock.calls.map((line) => line.join(" "));
    expect(first).toMatch(
      /^shop\/a failed and will be retried: Error: no\nsecond line\n {4}at .*workers\.test\.ts/,
    );
    expect(others.slice(0, 2)).toEqual([
      "shop/a failed again (attempt 2): no\nsecond line",
      "shop/a failed again (attempt 3): no\nsecond line",
    ]);
    // The success of the fourth attempt reset the back-off.
    expect(others[2]).toMatch(/^shop\/a failed and will be retried: Error: no\n/);
    expect(others).toHaveLength(3);
  });

  test("log the error of an onError that rejects, without an unhandled rejection", async () => {
    const clock = createFakeClock();
    const queue = createWorkQueue<string>({ clock });
    const stop = new AbortController();
    const stderr = vi.spyOn(console, "error").mockImplementation(() => {});
    onTestFinished(() => stderr.mockRestore());
    const run = runWorkers(
      queue,
      {
        process() {
          throw new Error("no");
        },
        onError: async () => {
          throw new Error("the log is full");
        },
      },
      stop.signal,
    );
    queue.add("a");
    await clock.advance(1);
    expect(stderr.mock.calls.map((line) => line.join(" "))).toEqual([
      expect.stringMatching(/^a failed and will be retried: Error: no\n/),
      expect.stringMatching(/^a: onError failed: Error: the log is full\n/),
    ]);
    stop.abort();
    await run;
  });

  test("requeue a failed key with back-off, requeueAfter without, a successful key not at all", async () => {
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
    expect(queue.numRequeues("fails")).toBe(0);
    stop.abort();
    await run;
    expect(clock.pending()).toBe(0);
  });

  test("continue and log both errors when onError throws", async () => {
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
      expect.stringMatching(/^fails failed and will be retried: Error: not yet\n/),
      expect.stringMatching(/^fails: onError failed: Error: the log is full\n/),
    ]);
    stop.abort();
    await run;
  });

  test("finish their current keys and start no others when stopped", async () => {
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
