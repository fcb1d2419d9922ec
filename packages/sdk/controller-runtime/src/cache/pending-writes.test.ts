import { createFakeClock } from "@operator-path/client/testing";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createPendingWrites } from "./pending-writes.ts";

const keys = ["a/one", "a/two", "b/one"] as const;

/**
 * Possible events, in any order. The answer to a write follows the write, and its watch event may be faster.
 */
type Step =
  | { do: "write" | "delete"; key: (typeof keys)[number] }
  | { do: "answer" | "deliver" }
  | { do: "read"; scope: (typeof keys)[number] | "a" | "b" | "" };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom("write" as const, "delete" as const), key: fc.constantFrom(...keys) }),
  fc.record({ do: fc.constantFrom("answer" as const, "deliver" as const) }),
  fc.record({ do: fc.constant("read" as const), scope: fc.constantFrom(...keys, "a", "b", "") }),
);

interface Written {
  key: string;
  version: number;
  /** undefined: the object was deleted. */
  uid: string | undefined;
  /** The UID of the deleted object. */
  removed: string | undefined;
}

test("a read waits exactly for the answered writes of its scope", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (script) => {
      const clock = createFakeClock();
      const server = new Map<string, string>();
      const cache = new Map<string, string>();
      const events: Written[] = [];
      const answers: Written[] = [];
      const answered: Written[] = [];
      let version = 9;
      let cacheVersion = 9;
      const pending = createPendingWrites({
        clock,
        timeout: 5_000,
        version: () => String(cacheVersion),
        uidOf: (key) => cache.get(key),
        expired: () => expect.fail("no wait should time out"),
      });
      const reads: { isDue(): boolean; isDone: boolean }[] = [];
      const check = async () => {
        await Promise.resolve();
        await new Promise((resolve) => setImmediate(resolve));
        for (const read of reads) expect(read.isDone).toBe(read.isDue());
      };

      for (const each of script) {
        if (each.do === "write" || each.do === "delete") {
          const removed = each.do === "delete" ? server.get(each.key) : undefined;
          if (each.do === "delete" && removed === undefined) continue;
          version++;
          const uid = each.do === "delete" ? undefined : (server.get(each.key) ?? `uid-${version}`);
          if (uid) server.set(each.key, uid);
          else server.delete(each.key);
          const written = { key: each.key, version, uid, removed };
          events.push(written);
          answers.push(written);
        } else if (each.do === "answer") {
          const written = answers.shift();
          if (!written) continue;
          answered.push(written);
          // The answer to a deletion lacks the version that it created.
          const note = {
            version: written.removed ? undefined : String(written.version),
            removed: written.removed,
          };
          pending.note(written.key, note);
        } else if (each.do === "deliver") {
          const event = events.shift();
          if (!event) continue;
          if (event.uid) cache.set(event.key, event.uid);
          else cache.delete(event.key);
          cacheVersion = event.version;
          pending.progressed();
        } else if (each.do === "read") {
          const { scope } = each;
          const inScope = ({ key }: Written) => key === scope || scope === "" || key.startsWith(`${scope}/`);
          const waitsFor = Math.max(0, ...answered.filter(inScope).map((written) => written.version));
          const read = { isDue: () => cacheVersion >= waitsFor, isDone: false };
          reads.push(read);
          const settled = pending.settled(scope.includes("/") ? { key: scope } : { namespace: scope });
          void Promise.resolve(settled).then(() => {
            read.isDone = true;
          });
        }
        await check();
      }
      expect(clock.pending()).toBe(reads.filter((read) => !read.isDone).length);
    }),
    { numRuns: 300 },
  );
});

test("drops writes that have arrived, even without a read", () => {
  let version = 1;
  const looked: string[] = [];
  const pending = createPendingWrites({
    ...{ clock: createFakeClock(), timeout: 5_000, version: () => String(version), expired: () => {} },
    uidOf: (key) => {
      looked.push(key);
      return undefined;
    },
  });
  for (version = 1; version <= 10_000; version++) {
    pending.note(`a/${version}`, { version: String(version + 1), removed: "uid" });
  }
  looked.length = 0;
  // This list checks what is left, and no more than that is stored.
  void pending.settled({ namespace: "" });
  expect(looked.length).toBeLessThan(200);
});

test("waits for the newest version when answers of parallel writes arrive in any order", async () => {
  let version = 5;
  const pending = createPendingWrites({
    ...{ clock: createFakeClock(), timeout: 5_000, version: () => String(version) },
    ...{ uidOf: () => "uid", expired: () => {} },
  });
  pending.note("a/one", { version: "9", removed: undefined });
  pending.note("a/one", { version: "7", removed: undefined });
  let isDone = false;
  void pending.settled({ key: "a/one" })?.then(() => {
    isDone = true;
  });
  for (version of [7, 8, 9]) {
    pending.progressed();
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDone).toBe(version === 9);
  }
});
